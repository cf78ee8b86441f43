/// @file
/// Implements npy.hpp.
#pragma once
#include "../npy.hpp"

namespace lab {

LAB_INLINE std::string npy_dtype_words(const std::string& dtype) {
  if (dtype.size() != 3 || dtype[2] < '1' || dtype[2] > '8') return "'" + dtype + "'";
  const char* kind = dtype[1] == 'f' ? "float" : dtype[1] == 'i' ? "int" : dtype[1] == 'u' ? "uint" : nullptr;
  if (kind == nullptr) return "'" + dtype + "'";
  return kind + std::to_string(8 * (dtype[2] - '0')) + (dtype[0] == '>' ? " big-endian (" : " (") + dtype +
         ")";
}

LAB_INLINE std::string npy_shape_words(const std::vector<std::size_t>& shape) {
  std::string words = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) words += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return words + (shape.size() == 1 ? ",)" : ")");
}

namespace detail {

constexpr char npy_magic[] = "\x93NUMPY";         // six bytes, then the version's two
constexpr std::size_t npy_max_header = 1u << 20;  // bytes; NumPy itself refuses to parse over 10,000
constexpr std::size_t npy_max_rank = 64;          // NumPy's own limit

[[noreturn, gnu::cold]] LAB_INLINE void npy_fail(const std::string& path, const std::string& problem) {
  throw NpyError(path + ": " + problem);
}

/// Opens a regular file. Without O_NONBLOCK, opening a pipe that has no writer would block before fstat() shows that it
/// is a pipe.
[[gnu::cold]] LAB_INLINE int npy_open(const std::string& path, NpyLinks links) {
  if (path.find('\0') != std::string::npos) throw NpyError("the name of an array file holds a zero byte");
  const int no_follow = links == NpyLinks::refuse ? O_NOFOLLOW : 0;
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | no_follow);
  if (descriptor >= 0) return descriptor;
  const int error = errno;
  if (error == ENOENT) npy_fail(path, "expected an array file (.npy), but there is no such file");
  if (error == ELOOP && no_follow != 0)
    npy_fail(path, "expected an array file (.npy), found a symbolic link");
  npy_fail(path,
           std::string("expected an array file (.npy), but it can't be opened: ") + std::strerror(error));
}

/// @return the file's size in bytes
[[gnu::cold]] LAB_INLINE std::size_t npy_file_size(const std::string& path, int descriptor) {
  struct stat status;
  if (::fstat(descriptor, &status) != 0)
    npy_fail(path, std::string("can't be examined: ") + std::strerror(errno));
  if (S_ISREG(status.st_mode)) return static_cast<std::size_t>(status.st_size);
  const char* found = S_ISDIR(status.st_mode)    ? "a folder"
                      : S_ISFIFO(status.st_mode) ? "a pipe"
                                                 : "a device or a socket";
  npy_fail(path, std::string("expected an array file (.npy), found ") + found);
}

/// Reads up to `bytes` bytes. @return how many were read
[[gnu::cold]] LAB_INLINE std::size_t npy_read(const std::string& path, int descriptor, void* to,
                                              std::size_t bytes) {
  std::size_t done = 0;
  while (done < bytes) {
    const std::size_t wanted = bytes - done < (1u << 30) ? bytes - done : (1u << 30);
    const ssize_t got = ::read(descriptor, static_cast<char*>(to) + done, wanted);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) npy_fail(path, std::string("can't be read: ") + std::strerror(errno));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

/// Parses a header's Python dictionary, which has three known keys and no expressions.
class NpyHeaderParser {
 public:
  NpyHeaderParser(const std::string& path, const std::string& text) : path_(path), text_(text) {}

  [[gnu::cold]] void parse(NpyHeader& header) {
    bool seen_descr = false, seen_order = false, seen_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      bool* seen = key == "descr"           ? &seen_descr
                   : key == "fortran_order" ? &seen_order
                   : key == "shape"         ? &seen_shape
                                            : nullptr;
      if (seen == nullptr || *seen) fail("expected the keys descr, fortran_order and shape once each");
      *seen = true;
      if (seen == &seen_descr) header.dtype = string();
      if (seen == &seen_order) header.fortran_order = boolean();
      if (seen == &seen_shape) header.shape = tuple();
      if (!accept(',') && peek() != '}') fail("expected ',' or '}' after the value of '" + key + "'");
    }
    if (peek() != '\0' || at_ != text_.size()) fail("expected nothing but blanks after '}'");
    if (!seen_descr || !seen_order || !seen_shape)
      fail("expected the keys descr, fortran_order and shape once each");
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    npy_fail(path_, "its header is damaged at byte " + std::to_string(at_) + ": " + expected);
  }
  /// Returns the next character that is not blank; zero at the end.
  [[gnu::cold]] char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  [[gnu::cold]] bool accept(char c) {
    if (peek() != c || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }
  [[gnu::cold]] void expect(char c) {
    if (!accept(c)) fail(std::string("expected '") + c + "'");
  }
  [[gnu::cold]] std::string string() {
    const char quote = peek();
    if (quote == '[') fail("expected one number type, found a record of several");
    if (quote != '\'' && quote != '"') fail("expected a quoted word");
    const std::size_t begin = at_ + 1, end = text_.find(quote, begin);
    if (end == std::string::npos || end - begin > 40) fail("expected a quoted word");
    at_ = end + 1;
    return text_.substr(begin, end - begin);
  }
  [[gnu::cold]] bool boolean() {
    peek();
    for (const char* word : {"True", "False"}) {
      if (text_.compare(at_, std::strlen(word), word) != 0) continue;
      at_ += std::strlen(word);
      return word[0] == 'T';
    }
    fail("expected True or False");
  }
  [[gnu::cold]] std::vector<std::size_t> tuple() {
    std::vector<std::size_t> lengths;
    expect('(');
    while (!accept(')')) {
      if (lengths.size() == npy_max_rank)
        fail("expected at most " + std::to_string(npy_max_rank) + " dimensions");
      lengths.push_back(number());
      if (!accept(',') && peek() != ')') fail("expected ',' or ')' in the shape");
    }
    return lengths;
  }
  [[gnu::cold]] std::size_t number() {
    if (peek() < '0' || peek() > '9') fail("expected a length in the shape, a whole number from 0 up");
    std::size_t value = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      const auto digit = static_cast<std::size_t>(text_[at_] - '0');
      if (value > (SIZE_MAX - digit) / 10) fail("expected a length in the shape that fits 64 bits");
      value = 10 * value + digit;
    }
    return value;
  }

  const std::string& path_;
  const std::string& text_;
  std::size_t at_ = 0;
};

/// Fills item_size and count from dtype and shape.
[[gnu::cold]] LAB_INLINE void npy_measure(const std::string& path, NpyHeader& header) {
  std::string& dtype = header.dtype;
  if (dtype == "<u1" || dtype == "<i1") dtype[0] = '|';  // a single byte has no byte order; NumPy writes '|'
  const bool one_byte = dtype == "|u1" || dtype == "|i1";
  const bool several = dtype.size() == 3 && dtype[0] == '<' &&
                       (std::strchr("iu", dtype[1]) || (dtype[1] == 'f')) &&
                       (dtype[2] == '2' || dtype[2] == '4' || dtype[2] == '8');
  if (!one_byte && !several)
    npy_fail(path, "expected little-endian integers or floating-point numbers, found dtype " +
                       npy_dtype_words(dtype));
  header.item_size = static_cast<std::size_t>(dtype[2] - '0');
  header.count = 1;
  for (const std::size_t length : header.shape)
    if (length == 0) header.count = 0;
  for (const std::size_t length : header.shape) {
    if (header.count != 0 && length > PTRDIFF_MAX / header.item_size / header.count)
      npy_fail(path, "its shape " + npy_shape_words(header.shape) + " has more elements than fit in memory");
    header.count *= length;
  }
}

/// Reads the header, and checks that the file's data have exactly the length that the header states.
[[gnu::cold]] LAB_INLINE NpyHeader npy_header(const std::string& path, int descriptor) {
  const std::size_t file_size = npy_file_size(path, descriptor);
  unsigned char start[12];
  std::size_t got = npy_read(path, descriptor, start, 10);
  if (got < 6 || std::memcmp(start, npy_magic, 6) != 0)
    npy_fail(path, got == 0 ? "expected an array file (.npy), found an empty file"
                            : "expected an array file (.npy), but it doesn't begin as one: save it with "
                              "write_npy or numpy.save");
  const std::string truncated = "its header is truncated: expected ";
  if (got < 10) npy_fail(path, truncated + "10 bytes, found " + std::to_string(got));
  const int version = start[6];
  if (version < 1 || version > 3 || start[7] != 0)
    npy_fail(path, "expected version 1.0, 2.0 or 3.0 of the format, found " + std::to_string(version) + "." +
                       std::to_string(int{start[7]}));
  std::size_t length = start[8] + 256u * start[9];
  std::size_t before = 10;
  if (version > 1) {
    got += npy_read(path, descriptor, start + 10, 2);
    before = 12;
    if (got < before) npy_fail(path, truncated + "12 bytes, found " + std::to_string(got));
    length += (std::size_t{start[10]} << 16) + (std::size_t{start[11]} << 24);
  }
  if (length > npy_max_header)
    npy_fail(path, "its header claims " + std::to_string(length) + " bytes, expected at most 1 MiB");
  std::string text(length, '\0');
  got = npy_read(path, descriptor, &text[0], length);
  if (got < length)
    npy_fail(path,
             truncated + std::to_string(before + length) + " bytes, found " + std::to_string(before + got));

  NpyHeader header;
  header.data_offset = before + length;
  NpyHeaderParser(path, text).parse(header);
  npy_measure(path, header);
  const std::size_t expected = header.count * header.item_size, found = file_size - header.data_offset;
  if (found != expected)
    npy_fail(path, std::string(found < expected ? "its data are truncated" : "it has bytes after its data") +
                       ": expected " + std::to_string(expected) + " bytes for shape " +
                       npy_shape_words(header.shape) + " of " + npy_dtype_words(header.dtype) + ", found " +
                       std::to_string(found));
  return header;
}

/// Returns the first bytes of a file in NumPy's form: magic, version 1.0, length, dictionary, blanks up to a multiple
/// of 64, newline.
[[gnu::cold]] LAB_INLINE std::string npy_preamble(const std::string& path, const std::string& dtype,
                                                  const std::vector<std::size_t>& shape) {
  std::string dictionary =
      "{'descr': '" + dtype + "', 'fortran_order': False, 'shape': " + npy_shape_words(shape) + ", }";
  // NumPy reserves space so that the first length can grow to 21 digits in place.
  if (!shape.empty()) dictionary.append(21 - std::to_string(shape[0]).size(), ' ');
  const std::size_t used = 10 + dictionary.size() + 1;
  dictionary.append(64 - used % 64, ' ');  // if it fits exactly, 64 blanks and not none, as NumPy does
  dictionary += '\n';
  if (shape.size() > npy_max_rank || dictionary.size() > 65535)
    npy_fail(path, "expected a shape of at most 64 dimensions, found " + std::to_string(shape.size()));
  std::string preamble(npy_magic, 6);
  preamble += '\1';
  preamble += '\0';
  preamble += static_cast<char>(dictionary.size() & 0xff);
  preamble += static_cast<char>(dictionary.size() >> 8);
  return preamble + dictionary;
}

/// Writes all bytes. @return 0 or errno
[[gnu::cold]] LAB_INLINE int npy_write(int descriptor, const void* from, std::size_t bytes) {
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t wanted = bytes - done < (1u << 30) ? bytes - done : (1u << 30);
    const ssize_t put = ::write(descriptor, static_cast<const char*>(from) + done, wanted);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return put < 0 ? errno : EIO;
    done += static_cast<std::size_t>(put);
  }
  return 0;
}

LAB_INLINE NpyReader::NpyReader(const std::string& path, NpyLinks links)
    : path_(path), file_(npy_open(path, links)), header_(npy_header(path, file_.get())) {}

LAB_INLINE void NpyReader::expect(const std::string& dtype, int rank) const {
  if (header_.dtype != dtype)
    npy_fail(path_, "expected elements of type " + npy_dtype_words(dtype) + ", found " +
                        npy_dtype_words(header_.dtype));
  if (rank >= 0 && header_.shape.size() != static_cast<std::size_t>(rank))
    npy_fail(path_, "expected an array of " + std::to_string(rank) + " dimensions, found shape " +
                        npy_shape_words(header_.shape));
  if (header_.fortran_order && header_.shape.size() > 1)
    npy_fail(path_,
             "expected C order (the last index runs fastest), found Fortran order: "
             "save it with numpy.ascontiguousarray");
}

LAB_INLINE void NpyReader::fail_for_memory() const {
  npy_fail(path_,
           "its " + std::to_string(header_.count * header_.item_size) + " bytes of data don't fit in memory");
}

LAB_INLINE void NpyReader::read(void* to) const {
  const std::size_t bytes = header_.count * header_.item_size;
  const std::size_t got = bytes == 0 ? 0 : npy_read(path_, file_.get(), to, bytes);
  if (got != bytes)
    npy_fail(path_, "its data are truncated: expected " + std::to_string(bytes) + " bytes, found " +
                        std::to_string(got));
}

LAB_INLINE void npy_save(const std::string& path, const std::string& dtype,
                         const std::vector<std::size_t>& shape, const void* data) {
  const std::string preamble = npy_preamble(path, dtype, shape);
  NpyHeader header;
  header.dtype = dtype;
  header.shape = shape;
  npy_measure(path, header);
  NpyFile file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.get() < 0) npy_fail(path, std::string("the array can't be written: ") + std::strerror(errno));
  int error = npy_write(file.get(), preamble.data(), preamble.size());
  if (error == 0) error = npy_write(file.get(), data, header.count * header.item_size);
  struct stat status;
  const bool regular = ::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode);
  if (file.close() != 0 && error == 0) error = errno;
  if (error == 0) return;
  if (regular) ::unlink(path.c_str());
  npy_fail(path, std::string("the array can't be written: ") + std::strerror(error));
}

LAB_INLINE void npy_expect_count(const std::string& path, const std::vector<std::size_t>& shape,
                                 std::size_t found) {
  std::size_t count = 1;
  for (const std::size_t length : shape) count *= length;
  if (count != found)
    npy_fail(path, "the array can't be written: expected " + std::to_string(count) + " elements for shape " +
                       npy_shape_words(shape) + ", found " + std::to_string(found));
}

}  // namespace detail

LAB_INLINE NpyHeader read_npy_header(const std::string& path, NpyLinks links) {
  const detail::NpyFile file(detail::npy_open(path, links));
  return detail::npy_header(path, file.get());
}

}  // namespace lab
