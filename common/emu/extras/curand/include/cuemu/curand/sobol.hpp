// Sobol's quasi-random numbers in Gray code's order (I. Antonov and V. Saleev, 1979): each number differs from the
// previous number by one direction vector. Numbers are plain or scrambled, and have 32 or 64 bits.
#pragma once

#include "cuemu/curand/normal.hpp"

typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

namespace cuemu::curand {

/// @tparam Scrambled distinguishes the types; the scramble constant of a type that is not scrambled is 0
template <class Word, bool Scrambled>
struct SobolState {
  Word i, x, c;
  Word direction_vectors[8 * sizeof(Word)];
};

/// Returns a number of the sequence. The Gray code of its index selects the vectors that are combined.
template <class Word>
inline Word sobol_number(const Word* const vectors, const Word index, const Word constant) {
  Word x = constant;
  const Word gray = index ^ index >> 1;
  for (unsigned k = 0; k < 8 * sizeof(Word); ++k)
    if ((gray >> k & 1) != 0) x ^= vectors[k];
  return x;
}
template <class Word, bool Scrambled>
inline Word sobol_next(SobolState<Word, Scrambled>& state) {
  const Word result = state.x;
  const Word zeros = static_cast<Word>(~state.i);
  const int last = static_cast<int>(8 * sizeof(Word)) - 1;
  state.x ^= state.direction_vectors[zeros == 0 ? last : __builtin_ctzll(zeros)];
  ++state.i;
  return result;
}
template <class Word, bool Scrambled>
inline void sobol_begin(SobolState<Word, Scrambled>& state, const Word* const vectors, const Word constant,
                        const Word offset) {
  for (unsigned k = 0; k < 8 * sizeof(Word); ++k) state.direction_vectors[k] = vectors[k];
  state.c = constant;
  state.i = offset;
  state.x = sobol_number(vectors, offset, constant);
}

inline float uniform(const unsigned long long x) {
  return uniform(static_cast<unsigned int>(x >> 32));
}
inline double uniform_double(const unsigned int x) {
  return x * (1.0 / 4294967296.0) + 1.0 / 4294967296.0;
}
inline double uniform_double(const unsigned long long x) {
  return static_cast<double>(x >> 11) * two_to_minus_53 + two_to_minus_53 / 2;
}

/// Normal numbers by the inverse of their distribution, since the computation in pairs would destroy the
/// order. The upper half is mirrored, since numbers near 1 have too few digits.
inline float normal_of(unsigned int x) {
  const bool upper = x > 0x80000000u;
  if (upper) x = 0xffffffffu - x;
  const float half = 1.41421356f * erfcinvf(2.0f * uniform(x));
  return upper ? half : -half;
}
inline float normal_of(const unsigned long long x) {
  return normal_of(static_cast<unsigned int>(x >> 32));
}
inline double normal_of_double(unsigned int x) {
  const bool upper = x > 0x80000000u;
  if (upper) x = 0xffffffffu - x;
  const double p = x * (1.0 / 4294967296.0) + 0.5 / 4294967296.0;
  const double half = 1.4142135623730951 * erfcinv(2.0 * p);
  return upper ? half : -half;
}
inline double normal_of_double(unsigned long long x) {
  x >>= 10;  // 54 bits
  const bool upper = x > 1ull << 53;
  if (upper) x = (1ull << 54) - 1 - x;
  const double p = static_cast<double>(x) * (two_to_minus_53 / 2) + two_to_minus_53 / 4;
  const double half = 1.4142135623730951 * erfcinv(2.0 * p);
  return upper ? half : -half;
}

/// Returns the direction vectors of S. Joe and F. Kuo ("Constructing Sobol sequences with better
/// two-dimensional projections", 2008), 64 for each dimension. Their upper 32 bits are the vectors of 32
/// bits. Null if the kit was built without Boost's table of these numbers.
const curandDirectionVectors64_t* sobol_vectors64();
const curandDirectionVectors32_t* sobol_vectors32();
/// Returns the number of the table's dimensions; cuRAND has 20,000.
unsigned sobol_dimensions();

}  // namespace cuemu::curand

typedef cuemu::curand::SobolState<unsigned int, false> curandStateSobol32_t;
typedef cuemu::curand::SobolState<unsigned int, true> curandStateScrambledSobol32_t;
typedef cuemu::curand::SobolState<unsigned long long, false> curandStateSobol64_t;
typedef cuemu::curand::SobolState<unsigned long long, true> curandStateScrambledSobol64_t;
#define curandStateSobol32 curandStateSobol32_t
#define curandStateScrambledSobol32 curandStateScrambledSobol32_t
#define curandStateSobol64 curandStateSobol64_t
#define curandStateScrambledSobol64 curandStateScrambledSobol64_t

/// \name Begin at number `offset` of a dimension; for scrambled numbers, a constant scrambles them
/// @{
inline void curand_init(const unsigned int* const vectors, const unsigned int offset,
                        curandStateSobol32_t* const state) {
  cuemu::curand::sobol_begin(*state, vectors, 0u, offset);
}
inline void curand_init(const unsigned int* const vectors, const unsigned int constant,
                        const unsigned int offset, curandStateScrambledSobol32_t* const state) {
  cuemu::curand::sobol_begin(*state, vectors, constant, offset);
}
inline void curand_init(const unsigned long long* const vectors, const unsigned long long offset,
                        curandStateSobol64_t* const state) {
  cuemu::curand::sobol_begin(*state, vectors, 0ull, offset);
}
inline void curand_init(const unsigned long long* const vectors, const unsigned long long constant,
                        const unsigned long long offset, curandStateScrambledSobol64_t* const state) {
  cuemu::curand::sobol_begin(*state, vectors, constant, offset);
}
/// @}

/// \name Numbers of the uniform distribution and of other distributions
/// @{
template <class Word, bool Scrambled>
inline Word curand(cuemu::curand::SobolState<Word, Scrambled>* const state) {
  return cuemu::curand::sobol_next(*state);
}
template <class Word, bool Scrambled>
inline void skipahead(const Word n, cuemu::curand::SobolState<Word, Scrambled>* const state) {
  state->i += n;
  state->x = cuemu::curand::sobol_number(state->direction_vectors, state->i, state->c);
}
template <class Word, bool Scrambled>
inline float curand_uniform(cuemu::curand::SobolState<Word, Scrambled>* const state) {
  return cuemu::curand::uniform(curand(state));
}
template <class Word, bool Scrambled>
inline double curand_uniform_double(cuemu::curand::SobolState<Word, Scrambled>* const state) {
  return cuemu::curand::uniform_double(curand(state));
}
template <class Word, bool Scrambled>
inline float curand_normal(cuemu::curand::SobolState<Word, Scrambled>* const state) {
  return cuemu::curand::normal_of(curand(state));
}
template <class Word, bool Scrambled>
inline double curand_normal_double(cuemu::curand::SobolState<Word, Scrambled>* const state) {
  return cuemu::curand::normal_of_double(curand(state));
}
template <class Word, bool Scrambled>
inline float curand_log_normal(cuemu::curand::SobolState<Word, Scrambled>* const state, const float mean,
                               const float deviation) {
  return expf(mean + deviation * curand_normal(state));
}
template <class Word, bool Scrambled>
inline double curand_log_normal_double(cuemu::curand::SobolState<Word, Scrambled>* const state,
                                       const double mean, const double deviation) {
  return exp(mean + deviation * curand_normal_double(state));
}
/// @}
