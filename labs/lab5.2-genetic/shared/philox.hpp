/// @file
/// Random numbers without a state: Philox4x32-10, a function from a counter and a key to four random words.
///
///     counter   four words that select a number: no two requests may use the same counter
///     key       two words that select the sequence: its seed
///
/// A number does not depend on the requesting thread, the time or the order, so threads need neither shared data nor
/// preparation. A thread that computes point 7 of set 3 in generation 12 requests the numbers of (7, 3, 12), as the
/// sequential program does.
///
/// Each of ten rounds multiplies two words of the counter, 32 × 32 bits, and exchanges halves; each round adds a
/// constant to the key (J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel random numbers: as easy as 1, 2, 3",
/// SC'11). The generator passes the known tests of randomness, but is not cryptographic. Host and device code.
#pragma once
#include <cstdint>

#include <lab/rounding.hpp>

namespace lab {

/// Four words: a counter, or its random numbers.
struct Words {
  std::uint32_t w[4];

  LAB_ON_BOTH std::uint32_t operator[](int i) const { return w[i]; }
};

/// The key of a sequence.
struct PhiloxKey {
  std::uint32_t k[2];
};

/// The four random words of a counter.
LAB_ON_BOTH inline Words philox(Words counter, PhiloxKey key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t even = static_cast<std::uint64_t>(0xD2511F53u) * counter.w[0];
    const std::uint64_t odd = static_cast<std::uint64_t>(0xCD9E8D57u) * counter.w[2];
    counter = {
        {static_cast<std::uint32_t>(odd >> 32) ^ counter.w[1] ^ key.k[0], static_cast<std::uint32_t>(odd),
         static_cast<std::uint32_t>(even >> 32) ^ counter.w[3] ^ key.k[1], static_cast<std::uint32_t>(even)}};
    key.k[0] += 0x9E3779B9u;  // from the golden ratio
    key.k[1] += 0xBB67AE85u;  // from the root of 3
  }
  return counter;
}

/// A word as a real number in [0, 1): a multiple of 2^-24, without rounding.
LAB_ON_BOTH constexpr float unit_real(std::uint32_t word) {
  return static_cast<float>(word >> 8) * (1.0f / 16777216.0f);
}

/// A word as a whole number in [0, count). @pre count >= 1
LAB_ON_BOTH constexpr std::uint32_t below(std::uint32_t word, std::uint32_t count) {
  return static_cast<std::uint32_t>((static_cast<std::uint64_t>(word) * count) >> 32);
}

/// The threshold for happens() that makes it true with a probability. @param probability [0, 1]
inline std::uint32_t chance(double probability) {
  return static_cast<std::uint32_t>(nearest(probability * 16777216.0));
}

/// Whether an event of this chance() happens.
LAB_ON_BOTH constexpr bool happens(std::uint32_t word, std::uint32_t chance) {
  return (word >> 8) < chance;
}

}  // namespace lab
