/// @file
/// Seals for the lines that an emulated program sends to the grader. Without the key, no line can be forged, repeated,
/// omitted or exchanged. The emulation, which writes lines, and the grader, which reads them, share this source.
///
///     <seal> <line>      the seal is SipHash-2-4 of the line and of its number from 0, as 16 hexadecimal digits
///
/// The key consists of 32 such digits. It is in the program's memory, so code that searches the memory can find it.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace kit_wire {

/// J.-P. Aumasson, D. J. Bernstein: SipHash, a fast short-input PRF (2012).
class SipHash {
 public:
  SipHash(std::uint64_t key0, std::uint64_t key1)
      : v_{key0 ^ 0x736f6d6570736575, key1 ^ 0x646f72616e646f6d, key0 ^ 0x6c7967656e657261,
           key1 ^ 0x7465646279746573} {}

  std::uint64_t operator()(std::string_view text) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      word |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[i])) << 8 * (i % 8);
      if (i % 8 != 7) continue;
      take(word);
      word = 0;
    }
    take(word | static_cast<std::uint64_t>(text.size()) << 56);
    v_[2] ^= 0xff;
    for (int i = 0; i < 4; ++i) round();
    return v_[0] ^ v_[1] ^ v_[2] ^ v_[3];
  }

 private:
  static std::uint64_t turned(std::uint64_t value, int by) { return value << by | value >> (64 - by); }
  void take(std::uint64_t word) {
    v_[3] ^= word;
    round();
    round();
    v_[0] ^= word;
  }
  void round() {
    v_[0] += v_[1];
    v_[1] = turned(v_[1], 13) ^ v_[0];
    v_[0] = turned(v_[0], 32);
    v_[2] += v_[3];
    v_[3] = turned(v_[3], 16) ^ v_[2];
    v_[0] += v_[3];
    v_[3] = turned(v_[3], 21) ^ v_[0];
    v_[2] += v_[1];
    v_[1] = turned(v_[1], 17) ^ v_[2];
    v_[2] = turned(v_[2], 32);
  }
  std::uint64_t v_[4];
};

constexpr std::size_t seal_key_digits = 32, seal_digits = 16;

/// Converts 16 hexadecimal digits to a number; 0 for any other text.
inline std::uint64_t seal_number(std::string_view digits) {
  std::uint64_t value = 0;
  if (digits.size() != seal_digits) return 0;
  for (const char c : digits) {
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (digit < 0) return 0;
    value = value << 4 | static_cast<unsigned>(digit);
  }
  return value;
}

/// @param key    the key, of seal_key_digits digits
/// @param number the line's number, from 0
inline std::string seal_of(std::string_view key, std::uint64_t number, std::string_view line) {
  SipHash hash(seal_number(key.substr(0, seal_digits)),
               seal_number(key.substr(std::min(seal_digits, key.size()))));
  std::string sealed = std::to_string(number) + " ";
  const std::uint64_t value = hash(sealed.append(line));
  std::string text(seal_digits, '0');
  for (std::size_t i = 0; i < seal_digits; ++i)
    text[i] = "0123456789abcdef"[value >> 4 * (seal_digits - 1 - i) & 15];
  return text;
}

}  // namespace kit_wire
