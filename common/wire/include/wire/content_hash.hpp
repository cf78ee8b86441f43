/// @file
/// A hash of the bytes that a copy moved. The hash of any part can be computed from hashes of prefixes. So a grader can
/// check whether a result came back from the device, in one copy or in several. The GPU's profiles, the emulation's
/// profiles and the grader share this source.
///
/// The bytes form 32-bit words w[0] … w[n-1], the last padded with zeros; the words are the digits of a number:
///
///     hash = w[0] · base^(n-1) + w[1] · base^(n-2) + … + w[n-1]      modulo 2^61 - 1
///
/// With hashes h[i] of the first i words, the words from a up to b have the hash h[b] - h[a] · base^(b-a). Zero words
/// have the hash 0, however many there are; so content is identified by its length and its hash.
#pragma once
#include <cstdint>
#include <cstring>

namespace kit_wire {

constexpr std::uint64_t hash_modulus = (std::uint64_t{1} << 61) - 1;  // a prime
constexpr std::uint64_t hash_base = 0x1593a4c8d2b7e60f;               // any number below it
constexpr std::size_t hash_word = sizeof(std::uint32_t);              // bytes

__extension__ typedef unsigned __int128 HashProduct;

/// @param value up to 2^124. @return value modulo hash_modulus
constexpr std::uint64_t hash_reduced(HashProduct value) {
  // 2^61 is congruent to 1: add the bits above the lower 61 to them.
  const std::uint64_t once = (static_cast<std::uint64_t>(value) & hash_modulus) +
                             static_cast<std::uint64_t>(value >> 61);  // below 2^64
  const std::uint64_t twice = (once & hash_modulus) + (once >> 61);
  return twice >= hash_modulus ? twice - hash_modulus : twice;
}

/// Returns a · b modulo hash_modulus, for a and b below hash_modulus.
constexpr std::uint64_t hash_times(std::uint64_t a, std::uint64_t b) {
  return hash_reduced(static_cast<HashProduct>(a) * b);
}

/// base^exponent modulo hash_modulus.
constexpr std::uint64_t hash_power(std::uint64_t exponent) {
  std::uint64_t power = 1;
  for (std::uint64_t square = hash_base; exponent > 0; exponent >>= 1) {
    if ((exponent & 1) != 0) power = hash_times(power, square);
    square = hash_times(square, square);
  }
  return power;
}

/// Returns the hash of the words so far, followed by `word`.
constexpr std::uint64_t hash_with(std::uint64_t hash, std::uint32_t word) {
  return hash_reduced(static_cast<HashProduct>(hash) * hash_base + word);
}

/// Returns the hash of a number of bytes. Hashing 64 MiB takes about 40 ms.
/// @param memory bytes that the caller may read
inline std::uint64_t content_hash(const void* memory, std::size_t bytes) {
  constexpr std::size_t at_a_time = 8;  // words per reduction
  constexpr std::uint64_t powers[at_a_time + 1] = {1,
                                                   hash_power(1),
                                                   hash_power(2),
                                                   hash_power(3),
                                                   hash_power(4),
                                                   hash_power(5),
                                                   hash_power(6),
                                                   hash_power(7),
                                                   hash_power(8)};
  const auto* at = static_cast<const unsigned char*>(memory);
  std::uint64_t hash = 0;
  for (; bytes >= at_a_time * hash_word; at += at_a_time * hash_word, bytes -= at_a_time * hash_word) {
    std::uint32_t words[at_a_time];
    std::memcpy(words, at, sizeof words);
    HashProduct sum = static_cast<HashProduct>(hash) * powers[at_a_time];  // below 2^122
    for (std::size_t i = 0; i < at_a_time; ++i)
      sum += static_cast<HashProduct>(powers[at_a_time - 1 - i]) * words[i];  // each below 2^93
    hash = hash_reduced(sum);
  }
  while (bytes > 0) {
    const std::size_t part = bytes < hash_word ? bytes : hash_word;
    std::uint32_t word = 0;
    std::memcpy(&word, at, part);
    hash = hash_with(hash, word);
    at += part;
    bytes -= part;
  }
  return hash;
}

}  // namespace kit_wire
