/// @file
/// Random numbers that are the same on every machine and with every compiler.
///
/// The engine is std::mt19937_64, all values of which are fixed by the C++ standard ([rand.predef]). It is implemented
/// here because `<random>` takes longer to compile than the rest of a lab. The mapping to a range is implemented here,
/// too, because the standard does not fix the results of std::uniform_int_distribution. Host code only. A generator is
/// not thread-safe: each thread needs its own.
#pragma once
#include <cstdint>

namespace lab {

/// A reproducible source of random numbers: equal seeds give equal sequences.
///
/// M. Matsumoto and T. Nishimura, "Mersenne Twister", ACM TOMACS 8 (1998), in the 64-bit form of T.
/// Nishimura, ACM TOMACS 10 (2000).
class Random {
 public:
  explicit Random(std::uint64_t seed) {
    state_[0] = seed;
    for (int i = 1; i < size; ++i) {
      const std::uint64_t last = state_[i - 1];
      state_[i] = 6364136223846793005u * (last ^ (last >> 62)) + static_cast<std::uint64_t>(i);
    }
  }

  /// Returns a number that is uniform over all 64-bit values.
  std::uint64_t bits() {
    if (next_ == size) twist();
    std::uint64_t value = state_[next_++];
    value ^= (value >> 29) & 0x5555555555555555u;
    value ^= (value << 17) & 0x71d67fffeda60000u;
    value ^= (value << 37) & 0xfff7eee000000000u;
    return value ^ (value >> 43);
  }

  /// Returns a uniform integer in [first, last]. @pre first <= last
  std::int64_t integer(std::int64_t first, std::int64_t last) {
    const std::uint64_t count = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first) + 1;
    if (count == 0) return static_cast<std::int64_t>(bits());  // the range is all of int64_t
    const std::uint64_t surplus =
        (0 - count) % count;  // 2^64 mod count: the number of values that would favour small results
    std::uint64_t value = bits();
    while (value < surplus) value = bits();
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(first) + value % count);
  }

  /// Returns a uniform real number in [low, high), a multiple of (high - low) / 2^53.
  double real(double low, double high) {
    constexpr double two_to_53 = 9007199254740992.0;
    return low + (high - low) * (static_cast<double>(bits() >> 11) / two_to_53);
  }

 private:
  static constexpr int size = 312;

  /// Generates the next `size` values.
  void twist() {
    constexpr int middle = 156;
    constexpr std::uint64_t low_31_bits = 0x7fffffffu;
    for (int i = 0; i < size; ++i) {
      const std::uint64_t joined = (state_[i] & ~low_31_bits) | (state_[(i + 1) % size] & low_31_bits);
      state_[i] = state_[(i + middle) % size] ^ (joined >> 1) ^ (joined % 2 == 0 ? 0 : 0xb5026f5aa96619e9u);
    }
    next_ = 0;
  }

  std::uint64_t state_[size];
  int next_ = size;
};

}  // namespace lab
