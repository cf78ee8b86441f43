// The generator XORWOW (G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8, 2003), with
// cuRAND's seeding.
//
// A step applies a linear map over GF(2) to five words. A counter is added to the output. n steps are the
// n-th power of the map's matrix of 160 x 160 bits, so a generator can skip 2^67 steps at once. The powers of
// two are computed at their first use.
#pragma once

#include <cstdint>

#include "cuemu/curand/state.hpp"
#include "cuemu/thread.hpp"

struct curandStateXORWOW {
  unsigned int d;
  unsigned int v[5];
  cuemu::curand::BoxMullerExtra extra;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

namespace cuemu::curand {

inline constexpr int xorwow_words = 5;
inline constexpr int xorwow_bits = 32 * xorwow_words;
inline constexpr unsigned xorwow_counter_step = 362437;
/// Subsequences begin 2^67 numbers apart.
inline constexpr int xorwow_subsequence_log2 = 67;

inline void xorwow_step(unsigned int (&v)[xorwow_words]) {
  const unsigned int t = v[0] ^ (v[0] >> 2);
  for (int i = 0; i + 1 < xorwow_words; ++i) v[i] = v[i + 1];
  v[4] = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1));
}

/// A linear map of the state: the image of each bit.
struct XorwowMap {
  unsigned int image[xorwow_bits][xorwow_words];

  void apply(unsigned int (&v)[xorwow_words]) const {
    unsigned int result[xorwow_words] = {};
    for (int word = 0; word < xorwow_words; ++word)
      for (unsigned int rest = v[word]; rest != 0; rest &= rest - 1) {
        const unsigned int* const bits = image[32 * word + __builtin_ctz(rest)];
        for (int i = 0; i < xorwow_words; ++i) result[i] ^= bits[i];
      }
    for (int i = 0; i < xorwow_words; ++i) v[i] = result[i];
  }
};

/// The maps of 2^k steps, for each k that a skip may need.
class XorwowPowers {
 public:
  static constexpr int count = xorwow_subsequence_log2 + 64;

  static const XorwowPowers& get() {
    const Uninterrupted whole(*current_fiber);  // no thread could wait for another thread that computes them
    static const XorwowPowers powers;
    return powers;
  }
  /// Advances the state by `steps` · 2^`scale` steps.
  void skip(unsigned int (&v)[xorwow_words], unsigned long long steps, const int scale) const {
    for (; steps != 0; steps &= steps - 1) maps_[scale + __builtin_ctzll(steps)].apply(v);
  }

 private:
  XorwowPowers() {
    for (int bit = 0; bit < xorwow_bits; ++bit) {
      unsigned int(&image)[xorwow_words] = maps_[0].image[bit];
      for (int i = 0; i < xorwow_words; ++i) image[i] = i == bit / 32 ? 1u << bit % 32 : 0u;
      xorwow_step(image);
    }
    for (int k = 1; k < count; ++k) {
      maps_[k] = maps_[k - 1];
      for (auto& image : maps_[k].image) maps_[k - 1].apply(image);
    }
  }

  /// A member, since `new` would allocate on the device's heap, which cudaDeviceReset() destroys.
  XorwowMap maps_[count];
};

}  // namespace cuemu::curand

/// 32 random bits.
inline unsigned int curand(curandStateXORWOW_t* const state) {
  cuemu::curand::xorwow_step(state->v);
  state->d += cuemu::curand::xorwow_counter_step;
  return state->v[4] + state->d;
}
/// Skips `n` numbers, or `n` subsequences of 2^67 numbers.
inline void skipahead(const unsigned long long n, curandStateXORWOW_t* const state) {
  cuemu::curand::XorwowPowers::get().skip(state->v, n, 0);
  state->d += cuemu::curand::xorwow_counter_step * static_cast<unsigned int>(n);
}
inline void skipahead_sequence(const unsigned long long n, curandStateXORWOW_t* const state) {
  cuemu::curand::XorwowPowers::get().skip(state->v, n, cuemu::curand::xorwow_subsequence_log2);
}
/// Sets the generator to number `offset` of a subsequence of the seed's sequence.
inline void curand_init(const unsigned long long seed, const unsigned long long subsequence,
                        const unsigned long long offset, curandStateXORWOW_t* const state) {
  const unsigned int low = 1099087573u * (static_cast<unsigned int>(seed) ^ 0xaad26b49u);
  const unsigned int high = 2591861531u * (static_cast<unsigned int>(seed >> 32) ^ 0xf7dcefddu);
  *state = {};
  state->d = 6615241u + high + low;
  state->v[0] = 123456789u + low;
  state->v[1] = 362436069u ^ low;
  state->v[2] = 521288629u + high;
  state->v[3] = 88675123u ^ high;
  state->v[4] = 5783321u + low;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}
