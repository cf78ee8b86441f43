/// @file
/// Many small matrices of whole numbers in a text file: the format, a careful reader that reports the faulty line, a
/// fast parser for a part of a file, and generated matrices. For the lab on the minimum of matrices.
///
///     2              how many matrices
///     ***            a separator
///     1 1 2          the n*n numbers of a matrix; line ends and blank lines are white space
///     3 5 8
///     13 21 34
///     ***
///     2 3 5
///     7 11 13
///     17 19 23
///     ***            may be missing after the last matrix
///
/// A separator is three asterisks, or the three asterisk operators (U+2217) that text processors make of them.
/// The format comes from a programming exercise of the University of São Paulo (MAC0219, 2018). Every fault
/// of a file ends the program with one sentence (exit code 2). Host code only.
#pragma once
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <lab/exit.hpp>
#include <lab/memory.hpp>
#include <lab/random.hpp>

namespace lab {

/// Whether a word separates two matrices.
inline bool is_separator(std::string_view word) {
  return word == "***" || word == "\u2217\u2217\u2217";
}

/// A file's bytes, mapped into memory: a page is read when a thread first touches it, by that thread.
class MappedFile {
 public:
  LAB_COLD explicit MappedFile(const std::string& path) : path_(path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat status;
    if (file < 0 || ::fstat(file, &status) != 0)
      fail(std::string("can't be opened: ") + std::strerror(errno) + ". Check the path.");
    if (!S_ISREG(status.st_mode)) fail("is a folder, a pipe or a device: give a file.");
    size_ = static_cast<std::size_t>(status.st_size);
    if (size_ > 0) {
      void* const bytes = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
      if (bytes == MAP_FAILED) fail(std::string("can't be mapped: ") + std::strerror(errno) + ".");
      bytes_ = static_cast<const char*>(bytes);
    }
    ::close(file);
  }
  ~MappedFile() {
    if (size_ > 0) ::munmap(const_cast<char*>(bytes_), size_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const char* begin() const { return bytes_; }
  const char* end() const { return bytes_ + size_; }
  std::size_t size() const { return size_; }

  /// Ends the program (exit code 2). @param problem what follows the file's name in the sentence
  [[noreturn, gnu::cold]] void fail(const std::string& problem) const {
    usage_error("Input " + path_ + " " + problem);
  }

 private:
  std::string path_;
  const char* bytes_ = "";
  std::size_t size_ = 0;
};

namespace detail {

inline bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

inline const char* skip_space(const char* at, const char* end) {
  while (at != end && is_space(*at)) ++at;
  return at;
}

/// The end of the word that begins at `at`; `at` itself if no word begins there.
inline const char* word_end(const char* at, const char* end) {
  while (at != end && !is_space(*at)) ++at;
  return at;
}

/// Reads a file word by word, counts lines, and refuses text that the format does not allow.
class CarefulReader {
 public:
  LAB_COLD CarefulReader(const std::string& path, int n) : file_(path), at_(file_.begin()), n_(n) {}

  LAB_COLD std::vector<int> read() {
    const std::string_view count = next();
    if (count.empty()) file_.fail("is empty: its first line says how many matrices it holds.");
    count_ = number(count);
    if (count_ < 1) fail("the count of matrices must be at least 1, but is " + std::string(count) + ".");
    const std::string_view first = next();
    if (!is_separator(first))
      fail("a separator (***) is expected after the count, but there is " + shown(first));
    const auto numbers = static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_);
    std::vector<int> values;
    values.reserve(std::min(static_cast<std::size_t>(count_) * numbers, file_.size() / 2 + 1));
    for (int k = 1; k <= count_; ++k) {
      for (std::size_t p = 0; p < numbers; ++p) values.push_back(element(k, p, numbers));
      separator(k);
    }
    if (const std::string_view more = next(); !more.empty())
      fail("the file continues after matrix " + std::to_string(count_) +
           ", the last one by its first line: " + shown(more));
    return values;
  }

 private:
  [[noreturn, gnu::cold]] void fail(const std::string& problem) const {
    file_.fail("is not a file of matrices: line " + std::to_string(line_) + ": " + problem);
  }

  /// A word in quotes, as the end of a sentence. A long word is cut, and unprintable characters are replaced.
  LAB_COLD static std::string shown(std::string_view word) {
    if (word.empty()) return "nothing more.";
    std::string text;
    for (const char c : word.substr(0, 40)) text += c == 0x7f || (c >= 0 && c < ' ') ? '?' : c;
    return "'" + text + (word.size() > 40 ? "…'." : "'.");
  }

  /// The next word; empty at the end of the file.
  std::string_view next() {
    for (; at_ != file_.end() && is_space(*at_); ++at_) line_ += *at_ == '\n' ? 1 : 0;
    const char* const begin = at_;
    at_ = word_end(at_, file_.end());
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }

  int number(std::string_view word) {
    int value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error == std::errc::result_out_of_range && end == word.data() + word.size())
      fail(std::string(word.substr(0, 40)) +
           " is not an int: expected a number from -2147483648 to 2147483647.");
    if (error != std::errc() || end != word.data() + word.size())
      fail("expected a whole number, but there is " + shown(word));
    return value;
  }

  int element(int k, std::size_t p, std::size_t numbers) {
    const std::string_view word = next();
    if (!word.empty() && !is_separator(word)) return number(word);
    if (word.empty() && p == 0 && k > 1) ends_behind(k - 1);
    const std::string short_one = "matrix " + std::to_string(k) + " of " + std::to_string(count_) + " has " +
                                  std::to_string(p) + " numbers, but " + std::to_string(n_) + "×" +
                                  std::to_string(n_) + " need " + std::to_string(numbers);
    if (word.empty()) fail("the file ends too early: " + short_one + ".");
    fail(short_one + ". Is one missing, or are the matrices of another --size?");
  }

  [[noreturn, gnu::cold]] void ends_behind(int k) const {
    fail("the file ends after matrix " + std::to_string(k) + ", but its first line says that there are " +
         std::to_string(count_) + ".");
  }

  void separator(int k) {
    const std::string_view word = next();
    if (is_separator(word) || (word.empty() && k == count_)) return;
    if (word.empty()) ends_behind(k);
    if (k == count_)
      fail("the file continues after the last number of matrix " + std::to_string(k) +
           ", the last one: " + shown(word));
    fail("a separator (***) is missing after matrix " + std::to_string(k) + ": there is " + shown(word) +
         " Or are the matrices of another --size?");
  }

  MappedFile file_;
  const char* at_;
  int n_;
  int count_ = 0;
  std::size_t line_ = 1;
};

}  // namespace detail

/// Reads matrices of n×n numbers carefully, word by word.
/// @return (m, n, n), in the file's order
LAB_COLD inline std::vector<int> read_matrices(const std::string& path, int n) {
  return detail::CarefulReader(path, n).read();
}

/// Called after a fast reader has found a fault in a file: reads the file again, carefully, reports the line and the
/// fault, and ends the program (exit code 2).
[[noreturn, gnu::cold]] inline void refuse_matrices(const std::string& path, int n) {
  read_matrices(path, n);
  stop(exit_failed,
       "A reader took " + path + " for damaged, but it is right: there is a mistake in the reader.");
}

/// The places of the matrices' numbers in memory: number p of matrix k goes to element k * matrix + p * position.
struct Strides {
  std::size_t matrix;
  std::size_t position;
};

namespace detail {

/// Parses matrices word by word, with any separators and any white space. Parameters and result are those of
/// parse_matrices().
inline bool parse_by_words(const char* at, const char* end, std::size_t numbers, std::size_t count, int* to,
                           Strides strides) {
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t p = 0; p < numbers; ++p) {
      at = skip_space(at, end);
      const auto [next, error] = std::from_chars(at, end, to[k * strides.matrix + p * strides.position]);
      if (error != std::errc() || (next != end && !is_space(*next))) return false;
      at = next;
    }
    at = skip_space(at, end);
    const char* const next = word_end(at, end);
    if (at != next && !is_separator({at, static_cast<std::size_t>(next - at)})) return false;
    if (at == next && k + 1 != count) return false;
    at = next;
  }
  return skip_space(at, end) == end;
}

#ifdef __SSE2__
/// Parses in two passes over a few kilobytes at a time, with few branches that depend on the text, since a mispredicted
/// branch costs more than parsing a number.
///
///   1. Four masks of 64 bits say which of 64 characters are digits, signs, asterisks and white space. A few
///      operations on the masks find invalid words; the last four characters of each word go to a list.
///   2. The list is processed four words at a time if these are numbers of up to three digits and the separator after a
///      matrix. All other words are parsed from the text: multiplications convert the eight characters before a word's
///      end.
///
/// G. Langdale and D. Lemire, "Parsing gigabytes of JSON per second", VLDB Journal 28 (2019).
class BlockParser {
 public:
  BlockParser(std::size_t numbers, std::size_t count, int* to, Strides strides)
      : numbers_(numbers), count_(count), to_(to), strides_(strides) {}

  /// @return false if the text is wrong, or not supported by this parser: the caller then parses it word by word
  bool parse(const char* at, const char* end) {
    char edge[before + width];  // the first and the last block, with white space around them
    std::memset(edge, ' ', sizeof edge);
    for (const char* begin = at;; at += width) {
      const auto left = static_cast<std::size_t>(end - at);
      const bool whole = at != begin && left >= width;
      if (whole) {
        if (!find_ends(at)) return false;
        if ((words_found_ > most_words - width || blocks_found_ == most_blocks) && !take_words())
          return false;
        continue;
      }
      if (!take_words()) return false;  // before the edge is filled again
      const auto here = std::min(left, width);
      if (at != begin) std::memcpy(edge, at - before, before);
      std::memcpy(edge + before, at, here);
      std::memset(edge + before + here, ' ', width - here);
      if (!find_ends(edge + before) || !take_words()) return false;
      if (left < width) break;  // so the last block ends with white space, and no word continues after it
    }
    return matrix_ == count_ ? position_ == 0 : matrix_ + 1 == count_ && position_ == numbers_;
  }

 private:
  static constexpr std::size_t width = 64;   // characters of a block
  static constexpr std::size_t before = 16;  // characters before it that may be read: a number has up to 11
  static constexpr std::size_t most_words = 1024, most_blocks = 64;  // of the list

  /// A block, with a bit for each character of the block, set if the character follows a word.
  struct Block {
    const char* at;
    std::uint64_t ends;
  };

  /// The classes of a block's characters, with one bit per character.
  struct Classes {
    std::uint64_t digit, sign, star, space;
  };

  static Classes classes_of(const char* sixteen) {
    const __m128i c = _mm_loadu_si128(reinterpret_cast<const __m128i*>(sixteen));
    const auto in_range = [c](char first, char span) {
      const __m128i distance = _mm_sub_epi8(c, _mm_set1_epi8(first));
      return _mm_cmpeq_epi8(_mm_min_epu8(distance, _mm_set1_epi8(span)), distance);
    };
    const auto bits = [](__m128i bytes) {
      return static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(bytes)));
    };
    return {bits(in_range('0', 9)), bits(_mm_cmpeq_epi8(c, _mm_set1_epi8('-'))),
            bits(_mm_cmpeq_epi8(c, _mm_set1_epi8('*'))),
            bits(_mm_or_si128(_mm_cmpeq_epi8(c, _mm_set1_epi8(' ')), in_range('\t', 4)))};
  }

  /// First pass, one block. @param at [-before, width) can be read
  bool find_ends(const char* at) {
    const Classes a = classes_of(at), b = classes_of(at + 16), c = classes_of(at + 32),
                  d = classes_of(at + 48);
    const std::uint64_t digit = a.digit | b.digit << 16 | c.digit << 32 | d.digit << 48;
    const std::uint64_t sign = a.sign | b.sign << 16 | c.sign << 32 | d.sign << 48;
    const std::uint64_t star = a.star | b.star << 16 | c.star << 32 | d.star << 48;
    const std::uint64_t space = a.space | b.space << 16 | c.space << 32 | d.space << 48;
    // The same masks for the character before each one.
    const std::uint64_t after_digit = digit << 1 | carry_digit_, after_sign = sign << 1 | carry_sign_;
    const std::uint64_t after_star = star << 1 | carry_star_, after_space = space << 1 | carry_space_;
    carry_digit_ = digit >> 63, carry_sign_ = sign >> 63, carry_star_ = star >> 63,
    carry_space_ = space >> 63;
    // A word is a sign and digits, digits, or asterisks; nothing else.
    const std::uint64_t wrong = ~(digit | sign | star | space) | (digit & after_star) |
                                (sign & ~after_space) | (star & (after_digit | after_sign)) |
                                (space & after_sign);
    std::uint64_t ends = space & (after_digit | after_star);
    blocks_[blocks_found_++] = {at, ends};
    // Always stores eight at a time; if there are fewer, the next block overwrites the surplus.
    std::uint32_t* to = words_ + words_found_;
    words_found_ += bits_of(ends);
    const auto take_word = [&] {
      *to++ = last_four(at + static_cast<unsigned>(__builtin_ctzll(ends | std::uint64_t{1} << 63)));
      ends &= ends - 1;
    };
    while (ends != 0) {  // unrolled by hand, since compilers unroll loops only at their highest level
      take_word(), take_word(), take_word(), take_word();
      take_word(), take_word(), take_word(), take_word();
    }
    return wrong == 0;
  }

  /// The number of bits that are set. The compiler's builtin would be a function call, since the target processor may
  /// lack the instruction.
  static std::size_t bits_of(std::uint64_t word) {
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    return static_cast<std::size_t>(((word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
  }

  /// Second pass: the words of the list.
  bool take_words() {
    const std::size_t taken = take_fours();
    const bool good = take_by_ends(taken);
    words_found_ = blocks_found_ = 0;
    return good;
  }

  /// Processes words from the beginning of the list, four at once, as long as they have the usual form: numbers of up
  /// to three digits, and at most one separator among four words, at its proper place. There must be room for four
  /// numbers. @return the number of words processed
  std::size_t take_fours() {
    if (strides_.position != 1 || strides_.matrix != numbers_) return 0;
    int* to = to_ + matrix_ * numbers_ + position_;
    const int* const end = to_ + count_ * numbers_;
    std::size_t position = position_, i = 0;
    for (__m128i four; i + 4 <= words_found_ && end - to >= 4; i += 4) {
      const int separators = short_words(words_ + i, four);
      if (separators == 0) {
        if (position + 4 > numbers_) break;
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to), four);
        to += 4;
        position += 4;
        continue;
      }
      if (separators < 0) break;
      const auto before_it = static_cast<unsigned>(__builtin_ctz(static_cast<unsigned>(separators)));
      if (separators >> before_it != 1 || position + before_it != numbers_) break;
      // The numbers after it move one place forward; the next number overwrites the last place.
      const __m128i behind =
          _mm_cmpgt_epi32(_mm_setr_epi32(1, 2, 3, 4), _mm_set1_epi32(static_cast<int>(before_it)));
      four = _mm_or_si128(_mm_andnot_si128(behind, four), _mm_and_si128(behind, _mm_srli_si128(four, 4)));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to), four);
      to += 3;
      position = 3 - before_it;
      ++matrix_;
    }
    position_ = position;
    return i;
  }

  /// Parses all words of the list after the first `taken`, one after another, from the text.
  bool take_by_ends(std::size_t taken) {
    std::uint64_t wrong = 0;
    for (std::size_t i = 0; i < blocks_found_; ++i) {
      std::uint64_t ends = blocks_[i].ends;
      const std::size_t here = bits_of(ends);
      if (taken >= here) {
        taken -= here;
        continue;
      }
      for (; ends != 0; ends &= ends - 1) {
        if (taken > 0) {
          --taken;
          continue;
        }
        const char* const end = blocks_[i].at + __builtin_ctzll(ends);
        if (is_stars(end) != (position_ == numbers_)) return false;
        if (position_ == numbers_) {
          position_ = 0;
          ++matrix_;
          continue;
        }
        if (matrix_ == count_) return false;
        wrong |= number(end, to_[matrix_ * strides_.matrix + position_++ * strides_.position]);
      }
    }
    return wrong == 0;
  }

  /// The four characters before the end of a word, the last one in the highest byte.
  static std::uint32_t last_four(const char* end) {
    std::uint32_t word = 0;
    std::memcpy(&word, end - 4, sizeof word);
    return word;
  }

  /// Whether a separator ends here.
  static bool is_stars(const char* end) {
    const std::uint32_t word = last_four(end);
    return word >> 8 == 0x2a2a2a && (word & 0xff) != '*';
  }

  /// Four words at once, side by side in a register. @param words the four characters before the end of each
  /// @return a bit for each separator; -1 if a word has more than three characters besides a sign, or is neither a
  /// number nor a separator
  static int short_words(const std::uint32_t* words, __m128i& numbers) {
    const __m128i c = _mm_loadu_si128(reinterpret_cast<const __m128i*>(words));
    const __m128i values = _mm_sub_epi8(c, _mm_set1_epi8('0'));
    const __m128i digits = _mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(9)), values);
    // Digits that are followed only by digits belong to the number.
    __m128i own = _mm_and_si128(digits, _mm_or_si128(_mm_srli_epi32(digits, 8), _mm_set1_epi32(~0xffffff)));
    own = _mm_and_si128(own, _mm_or_si128(_mm_srli_epi32(own, 16), _mm_set1_epi32(~0xffff)));
    const __m128i stars = _mm_cmpeq_epi32(_mm_srli_epi32(c, 8), _mm_set1_epi32(0x2a2a2a));
    const int known =
        _mm_movemask_ps(_mm_castsi128_ps(_mm_or_si128(own, stars)));  // a digit or stars before the end
    // Words with four or more digits, or with four stars.
    const __m128i four_stars = _mm_cmpeq_epi32(c, _mm_set1_epi32(0x2a2a2a2a));
    const int longer = _mm_movemask_ps(_mm_castsi128_ps(_mm_or_si128(_mm_slli_epi32(own, 24), four_stars)));
    if (known != 15 || longer != 0) return -1;
    const __m128i used = _mm_and_si128(values, own);
    const __m128i pairs =
        _mm_add_epi16(_mm_mullo_epi16(_mm_and_si128(used, _mm_set1_epi16(0xff)), _mm_set1_epi16(10)),
                      _mm_srli_epi16(used, 8));
    const __m128i magnitude =
        _mm_madd_epi16(pairs, _mm_set1_epi32(0x00010064));  // 100 times the first, and the second
    const __m128i signs = _mm_and_si128(_mm_cmpeq_epi8(c, _mm_set1_epi8('-')), _mm_srli_epi32(own, 8));
    const __m128i positive = _mm_cmpeq_epi32(signs, _mm_setzero_si128());
    const __m128i negative = _mm_xor_si128(positive, _mm_set1_epi32(-1));
    numbers = _mm_sub_epi32(_mm_xor_si128(magnitude, negative), negative);
    return _mm_movemask_ps(_mm_castsi128_ps(stars));
  }

  /// @param end after the last digit
  /// @return not 0 if the word is not a number, or does not fit an int
  static std::uint64_t number(const char* end, int& number) {
    std::uint64_t word = load(end - 8);
    int bits = digit_bits(word);
    std::uint64_t wrong = bits == 0 ? 1 : 0;
    if (bits <= 32) {  // the usual case: up to four digits
      const auto four = static_cast<std::uint32_t>((word & keep(bits)) >> 32);
      const std::uint32_t pairs = four * 10 + (four >> 8);
      const int value = static_cast<int>((pairs & 0x00ff00ffu) * 0x00640001u >> 16 & 0xffffu);
      number = (word >> (56 - bits) & 0xff) == '-' ? -value : value;
      return wrong;
    }
    std::int64_t value = eight(word & keep(bits));
    if (bits == 64) {  // up to two more digits before the eight
      word = load(end - 16);
      bits = digit_bits(word);
      if (bits > 16) return 1;
      value += 100000000 * eight(word & keep(bits));
    }
    const std::int64_t negative = (word >> (56 - bits) & 0xff) == '-' ? 1 : 0;
    number = static_cast<int>(negative != 0 ? -value : value);
    return static_cast<std::uint64_t>(std::numeric_limits<int>::max() + negative - value) >> 63;
  }

  /// Eight characters, the last one in the highest byte.
  static std::uint64_t load(const char* at) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    return word;
  }

  /// 8 for each digit before the end. In a valid block, only digits have the bit 0x10.
  static int digit_bits(std::uint64_t word) {
    const std::uint64_t others = ~word & 0x1010101010101010u;
    return others == 0 ? 64 : __builtin_clzll(others) & ~7;
  }

  /// A mask that turns digits into their values, and characters before them into zeros. @param bits 8 for each digit
  static std::uint64_t keep(int bits) {
    constexpr std::uint64_t all = 0x0f0f0f0f0f0f0f0fu;
    static constexpr std::uint64_t masks[] = {0,         all << 56, all << 48, all << 40, all << 32,
                                              all << 24, all << 16, all << 8,  all};
    return masks[bits / 8];
  }

  /// The number that eight digits form: combines digits to pairs, then pairs to larger groups with their powers of 100.
  static std::int64_t eight(std::uint64_t digits) {
    const std::uint64_t pairs = digits * 10 + (digits >> 8);
    return static_cast<std::int64_t>(((pairs & 0x000000ff000000ffu) * 0x000f424000000064u +
                                      (pairs >> 16 & 0x000000ff000000ffu) * 0x0000271000000001u) >>
                                     32);
  }

  std::size_t numbers_, count_;
  int* to_;
  Strides strides_;
  std::size_t matrix_ = 0, position_ = 0;
  std::uint64_t carry_digit_ = 0, carry_sign_ = 0, carry_star_ = 0, carry_space_ = 1;
  std::size_t words_found_ = 0, blocks_found_ = 0;
  std::uint32_t words_[most_words];  // the list: the last four characters of each word
  Block blocks_[most_blocks];        // that contain the words
};
#endif

}  // namespace detail

/// Counts whole separators in a text: runs of asterisks, and thirds of the bytes with which an
/// asterisk operator begins. If the text is not a file of matrices, the count has no meaning.
inline std::size_t count_separators(const char* at, const char* end) {
  std::size_t stars = 0, operators = 0;
  char before = ' ';
#ifdef __SSE2__
  if (at != end) {
    before = *at++;  // so that there is a character before each one below
    stars += before == '*' ? 1 : 0;
    operators += before == '\xe2' ? 1 : 0;
  }
  constexpr std::ptrdiff_t width = 16, rounds = 255;  // as far as a byte can count
  const __m128i zero = _mm_setzero_si128(), star = _mm_set1_epi8('*'), operator_ = _mm_set1_epi8('\xe2');
  const auto sum = [zero](__m128i bytes) {
    const __m128i halves = _mm_sad_epu8(bytes, zero);
    return static_cast<std::size_t>(_mm_cvtsi128_si32(halves) + _mm_extract_epi16(halves, 4));
  };
  while (end - at >= width * rounds) {
    __m128i star_begins = zero, operator_begins = zero;  // how many in each of 16 columns
    for (std::ptrdiff_t i = 0; i < rounds; ++i, at += width) {
      const __m128i here = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
      const __m128i left = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at - 1));
      const __m128i begins = _mm_andnot_si128(_mm_cmpeq_epi8(left, star), _mm_cmpeq_epi8(here, star));
      star_begins = _mm_sub_epi8(star_begins, begins);  // true is -1
      operator_begins = _mm_sub_epi8(operator_begins, _mm_cmpeq_epi8(here, operator_));
    }
    stars += sum(star_begins);
    operators += sum(operator_begins);
    before = at[-1];
  }
#endif
  for (; at != end; before = *at++) {
    stars += *at == '*' && before != '*' ? 1 : 0;
    operators += *at == '\xe2' ? 1 : 0;
  }
  return stars + operators / 3;
}

/// Parses `count` matrices of `numbers` numbers each, with a separator after each matrix; the separator may be missing
/// after the last matrix.
/// @param at, end  the whole text: white space, then the first number of the first matrix
/// @param to       element 0 is the first number of the first matrix
/// @return false if the text has any other form; refuse_matrices() reports the fault
inline bool parse_matrices(const char* at, const char* end, std::size_t numbers, std::size_t count, int* to,
                           Strides strides) {
#ifdef __SSE2__
  if (detail::BlockParser(numbers, count, to, strides).parse(at, end)) return true;
#endif
  return detail::parse_by_words(at, end, numbers, count, to, strides);
}

/// The style in which a file is written: the plain format; with asterisk operators; or with all other allowed
/// variations (blank lines, tabs, other line ends, both kinds of separators, none after the last matrix).
enum class TextStyle { plain, unicode, loose };

/// Parses "plain", "unicode" or "loose". @return false if the text is something else
LAB_COLD inline bool parse_style(const std::string& text, TextStyle& style) {
  if (text == "plain")
    style = TextStyle::plain;
  else if (text == "unicode")
    style = TextStyle::unicode;
  else if (text == "loose")
    style = TextStyle::loose;
  else
    return false;
  return true;
}

/// Writes a file of matrices. @param values (m, n, n)
LAB_COLD inline void write_matrices(const std::string& path, int m, int n, const int* values,
                                    TextStyle style = TextStyle::plain) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  bool good = file != nullptr;
  std::string text;
  const bool loose = style == TextStyle::loose;
  const char* const line = loose ? "\r\n" : "\n";
  const auto separator = [&](int k) {
    text += style == TextStyle::unicode || (loose && k % 2 == 1) ? "\u2217\u2217\u2217" : "***";
  };
  text += std::to_string(m) + line;
  separator(0);
  text += line;
  for (int k = 1; k <= m && good; ++k) {
    for (int row = 0; row < n; ++row) {
      for (int column = 0; column < n; ++column) {
        char digits[12];
        text.append(digits, std::to_chars(digits, digits + sizeof digits, *values++).ptr);
        text += column + 1 == n ? line : loose && row % 2 == 1 ? "\t " : " ";
      }
    }
    if (!loose || k < m) separator(k);
    text += loose ? "\r\n\r\n" : line;
    if (text.size() < (1u << 20) && k < m) continue;
    good = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    text.clear();
  }
  int error = errno;
  if (file != nullptr && std::fclose(file) != 0 && good) {
    good = false;
    error = errno;
  }
  if (!good)
    usage_error("Output " + path + " can't be written: " + std::strerror(error) +
                ". Name a file in a folder that you may write, on a disk with room.");
}

/// Random matrices for which a wrong program is unlikely to find the right minimum. The minima of the n*n positions are
/// spread over all matrices: the first and the last matrix always contain one, and if there are as many positions as
/// matrices, each matrix contains one. The minima are positive at every other position, so that a zero among the
/// numbers becomes visible. Up to 2^20 numbers in all, a number has any number of digits; beyond, it has one or two, so
/// that a file stays small.
/// @return (m, n, n)
LAB_COLD inline std::vector<int> draw_matrices(Random& random, int m, int n) {
  const std::size_t numbers = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  const std::size_t count = static_cast<std::size_t>(m) * numbers;
  std::vector<int> values = host_array<int>(count, "the matrices");
  const bool small = count > (std::size_t{1} << 20);
  // The magnitude is drawn first, so that small numbers are as frequent as large ones.
  const auto draw = [&](bool positive) {
    if (small) return static_cast<int>(positive ? random.integer(10, 99) : random.integer(-9, 99));
    std::int64_t limit = 1000;
    for (std::int64_t digits = random.integer(3, 9); digits > 3; --digits) limit *= 10;
    const std::int64_t value = random.integer(0, 2 * limit);
    return static_cast<int>(positive ? 1000 + value : random.integer(0, 1) == 0 ? value : -value);
  };
  for (std::size_t i = 0; i < count; ++i) values[i] = draw(i % numbers % 2 == 1);
  std::vector<std::size_t> order(numbers);  // the positions, in the order of their minima in the file
  for (std::size_t p = 0; p < numbers; ++p) order[p] = p;
  for (std::size_t p = numbers; p-- > 1;)
    std::swap(order[p], order[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(p)))]);
  for (std::size_t i = 0; i < numbers; ++i) {
    const std::size_t p = order[i];
    const std::size_t k = numbers == 1 ? static_cast<std::size_t>(random.integer(0, m - 1))
                                       : i * static_cast<std::size_t>(m - 1) / (numbers - 1);
    const auto rank = static_cast<std::int64_t>(i);
    const std::int64_t low = small ? -10 - rank : std::numeric_limits<int>::min() + 50 * rank;
    values[k * numbers + p] = static_cast<int>(p % 2 == 1 ? 1 + rank % (small ? 9 : 900) : low);
  }
  return values;
}

/// The minimum of all matrices, element by element. @param values (m, n, n) @return (n, n)
LAB_COLD inline std::vector<int> minimum_of(const std::vector<int>& values, int n) {
  const std::size_t numbers = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  std::vector<int> minimum(numbers, std::numeric_limits<int>::max());
  for (std::size_t i = 0; i < values.size(); ++i)
    minimum[i % numbers] = std::min(minimum[i % numbers], values[i]);
  return minimum;
}

}  // namespace lab
