// The generator Philox4x32-10 (J. Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC11). Ten
// rounds mix a counter of 128 bits with a key; the result is four numbers.
#pragma once

#include "cuemu/curand/state.hpp"

struct curandStatePhilox4_32_10 {
  uint4 ctr;
  uint4 output;  ///< of the counter
  uint2 key;
  unsigned int STATE;  ///< number of the output's numbers that have been used, 0 to 3
  cuemu::curand::BoxMullerExtra extra;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

namespace cuemu::curand {

inline uint4 philox_4x32_10(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xD2511F53ull * counter.x, b = 0xCD9E8D57ull * counter.z;
    counter = uint4{static_cast<unsigned int>(b >> 32) ^ counter.y ^ key.x, static_cast<unsigned int>(b),
                    static_cast<unsigned int>(a >> 32) ^ counter.w ^ key.y, static_cast<unsigned int>(a)};
    key.x += 0x9E3779B9u;
    key.y += 0xBB67AE85u;
  }
  return counter;
}

/// Adds to the lower or the upper half of the counter. A carry from the lower half is added to the upper
/// half.
inline void philox_advance(curandStatePhilox4_32_10_t& state, const unsigned long long low,
                           const unsigned long long high) {
  const unsigned long long old = static_cast<unsigned long long>(state.ctr.y) << 32 | state.ctr.x;
  const unsigned long long next = old + low;
  const unsigned long long upper =
      (static_cast<unsigned long long>(state.ctr.w) << 32 | state.ctr.z) + high + (next < old ? 1 : 0);
  state.ctr = uint4{static_cast<unsigned int>(next), static_cast<unsigned int>(next >> 32),
                    static_cast<unsigned int>(upper), static_cast<unsigned int>(upper >> 32)};
  state.output = philox_4x32_10(state.ctr, state.key);
}

}  // namespace cuemu::curand

/// Returns 32 random bits, or four times 32 random bits.
inline unsigned int curand(curandStatePhilox4_32_10_t* const state) {
  const unsigned int numbers[] = {state->output.x, state->output.y, state->output.z, state->output.w};
  const unsigned int result = numbers[state->STATE & 3u];
  if (++state->STATE == 4) {
    state->STATE = 0;
    cuemu::curand::philox_advance(*state, 1, 0);
  }
  return result;
}
inline uint4 curand4(curandStatePhilox4_32_10_t* const state) {
  const uint4 first = state->output;
  cuemu::curand::philox_advance(*state, 1, 0);
  const unsigned int numbers[] = {first.x,         first.y,         first.z,         first.w,
                                  state->output.x, state->output.y, state->output.z, state->output.w};
  const unsigned int* const next = numbers + (state->STATE & 3u);
  return uint4{next[0], next[1], next[2], next[3]};
}
/// Skips `n` numbers, or `n` subsequences of 2^66 numbers.
inline void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* const state) {
  state->STATE += static_cast<unsigned int>(n & 3u);
  n /= 4;
  if (state->STATE > 3) {
    ++n;
    state->STATE -= 4;
  }
  cuemu::curand::philox_advance(*state, n, 0);
}
inline void skipahead_sequence(const unsigned long long n, curandStatePhilox4_32_10_t* const state) {
  cuemu::curand::philox_advance(*state, 0, n);
}
/// Sets the generator to number `offset` of a subsequence of the seed's sequence.
inline void curand_init(const unsigned long long seed, const unsigned long long subsequence,
                        const unsigned long long offset, curandStatePhilox4_32_10_t* const state) {
  *state = {};
  state->key = uint2{static_cast<unsigned int>(seed), static_cast<unsigned int>(seed >> 32)};
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}
