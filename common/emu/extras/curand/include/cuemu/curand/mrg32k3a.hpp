// The generator MRG32k3a (P. L'Ecuyer, "Good parameters and implementations for combined multiple recursive
// random number generators", Operations Research 47, 1999). It combines two recurrences of order three,
// modulo two primes. To skip numbers, the state is multiplied by powers of the recurrences' 3 x 3 matrices.
#pragma once

#include <cstdint>

#include "cuemu/curand/state.hpp"
#include "cuemu/thread.hpp"

struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  cuemu::curand::BoxMullerExtra extra;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

namespace cuemu::curand {

inline constexpr std::uint64_t mrg_modulus_1 = 4294967087u, mrg_modulus_2 = 4294944443u;
inline constexpr double mrg_norm = 2.3283065498378288e-10;  ///< 1 / modulus 1
inline constexpr double mrg_bits_norm = 1.000000048662;     ///< (2^32 - 1) / modulus 1

struct MrgMatrix {
  std::uint64_t at[3][3];
};
inline constexpr MrgMatrix mrg_matrix_1{{{0, 1, 0}, {0, 0, 1}, {mrg_modulus_1 - 810728, 1403580, 0}}};
inline constexpr MrgMatrix mrg_matrix_2{{{0, 1, 0}, {0, 0, 1}, {mrg_modulus_2 - 1370589, 0, 527612}}};

inline MrgMatrix mrg_product(const MrgMatrix& a, const MrgMatrix& b, const std::uint64_t modulus) {
  MrgMatrix result{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        result.at[i][j] = (result.at[i][j] + a.at[i][k] * b.at[k][j] % modulus) % modulus;
  return result;
}
/// Advances the recurrence by `steps` · 2^`scale` steps.
inline void mrg_skip(unsigned int (&s)[3], MrgMatrix power, const std::uint64_t modulus,
                     unsigned long long steps, const int scale) {
  if (steps == 0) return;
  for (int i = 0; i < scale; ++i) power = mrg_product(power, power, modulus);
  for (; steps != 0; steps >>= 1) {
    if ((steps & 1u) != 0) {
      std::uint64_t next[3] = {};
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) next[i] = (next[i] + power.at[i][j] * s[j] % modulus) % modulus;
      for (int i = 0; i < 3; ++i) s[i] = static_cast<unsigned int>(next[i]);
    }
    if (steps > 1) power = mrg_product(power, power, modulus);
  }
}
inline void mrg_skip(curandStateMRG32k3a_t& state, const unsigned long long steps, const int scale) {
  mrg_skip(state.s1, mrg_matrix_1, mrg_modulus_1, steps, scale);
  mrg_skip(state.s2, mrg_matrix_2, mrg_modulus_2, steps, scale);
}

/// The matrices that advance the state by one subsequence, which has 2^76 numbers.
class MrgSubsequence {
 public:
  static const MrgSubsequence& get() {
    const Uninterrupted whole(*current_fiber);
    static const MrgSubsequence one;
    return one;
  }
  /// Advances the state by one subsequence.
  void skip(curandStateMRG32k3a_t& state) const {
    mrg_skip(state.s1, first_, mrg_modulus_1, 1, 0);
    mrg_skip(state.s2, second_, mrg_modulus_2, 1, 0);
  }

 private:
  MrgSubsequence() : first_(mrg_matrix_1), second_(mrg_matrix_2) {
    for (int i = 0; i < 76; ++i) {
      first_ = mrg_product(first_, first_, mrg_modulus_1);
      second_ = mrg_product(second_, second_, mrg_modulus_2);
    }
  }
  MrgMatrix first_, second_;
};

/// Returns the next number, from 1 to modulus 1.
inline unsigned int mrg_next(curandStateMRG32k3a_t& state) {
  const std::uint64_t p1 =
      (1403580 * std::uint64_t{state.s1[1]} + 810728 * (mrg_modulus_1 - state.s1[0])) % mrg_modulus_1;
  const std::uint64_t p2 =
      (527612 * std::uint64_t{state.s2[2]} + 1370589 * (mrg_modulus_2 - state.s2[0])) % mrg_modulus_2;
  state.s1[0] = state.s1[1], state.s1[1] = state.s1[2], state.s1[2] = static_cast<unsigned int>(p1);
  state.s2[0] = state.s2[1], state.s2[1] = state.s2[2], state.s2[2] = static_cast<unsigned int>(p2);
  return static_cast<unsigned int>(p1 > p2 ? p1 - p2 : p1 - p2 + mrg_modulus_1);
}

}  // namespace cuemu::curand

/// 32 random bits.
inline unsigned int curand(curandStateMRG32k3a_t* const state) {
  return static_cast<unsigned int>(cuemu::curand::mrg_next(*state) * cuemu::curand::mrg_bits_norm);
}
/// Skips `n` numbers, `n` subsequences of 2^76 numbers or `n` sequences of 2^127 numbers.
inline void skipahead(const unsigned long long n, curandStateMRG32k3a_t* const state) {
  cuemu::curand::mrg_skip(*state, n, 0);
}
inline void skipahead_subsequence(const unsigned long long n, curandStateMRG32k3a_t* const state) {
  cuemu::curand::mrg_skip(*state, n, 76);
}
inline void skipahead_sequence(const unsigned long long n, curandStateMRG32k3a_t* const state) {
  cuemu::curand::mrg_skip(*state, n, 127);
}
/// Sets the generator to number `offset` of a subsequence of the seed's sequence.
inline void curand_init(const unsigned long long seed, const unsigned long long subsequence,
                        const unsigned long long offset, curandStateMRG32k3a_t* const state) {
  *state = {};
  const std::uint64_t low = static_cast<unsigned int>(seed) ^ 0x55555555u;
  const std::uint64_t high = static_cast<unsigned int>(seed >> 32) ^ 0xaaaaaaaau;
  for (int i = 0; i < 3; ++i) {
    const std::uint64_t scale_1 = seed == 0 ? 1 : i == 1 ? high : low;
    const std::uint64_t scale_2 = seed == 0 ? 1 : i == 1 ? low : high;
    state->s1[i] = static_cast<unsigned int>(scale_1 % cuemu::curand::mrg_modulus_1 * 12345 %
                                             cuemu::curand::mrg_modulus_1);
    state->s2[i] = static_cast<unsigned int>(scale_2 % cuemu::curand::mrg_modulus_2 * 12345 %
                                             cuemu::curand::mrg_modulus_2);
  }
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
}
