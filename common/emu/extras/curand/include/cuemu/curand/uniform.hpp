// Uniform numbers in (0, 1].
#pragma once

#include "cuemu/curand/mrg32k3a.hpp"
#include "cuemu/curand/philox.hpp"
#include "cuemu/curand/xorwow.hpp"

namespace cuemu::curand {

inline constexpr float two_to_minus_32 = 1.0f / 4294967296.0f;
inline constexpr double two_to_minus_53 = 1.0 / 9007199254740992.0;

/// Returns a number from 32 random bits: the middle of one of 2^32 intervals, rounded.
inline float uniform(const unsigned int x) {
  return static_cast<float>(x) * two_to_minus_32 + two_to_minus_32 / 2;
}
/// Returns a number from 53 of 64 random bits.
inline double uniform_double(const unsigned int low, const unsigned int high) {
  const unsigned long long bits = low ^ static_cast<unsigned long long>(high) << 21;
  return static_cast<double>(bits) * two_to_minus_53 + two_to_minus_53 / 2;
}

}  // namespace cuemu::curand

inline float curand_uniform(curandStateXORWOW_t* const state) {
  return cuemu::curand::uniform(curand(state));
}
inline float curand_uniform(curandStatePhilox4_32_10_t* const state) {
  return cuemu::curand::uniform(curand(state));
}
inline float curand_uniform(curandStateMRG32k3a_t* const state) {
  return static_cast<float>(cuemu::curand::mrg_next(*state) * cuemu::curand::mrg_norm);
}
inline float4 curand_uniform4(curandStatePhilox4_32_10_t* const state) {
  const uint4 x = curand4(state);
  return float4{cuemu::curand::uniform(x.x), cuemu::curand::uniform(x.y), cuemu::curand::uniform(x.z),
                cuemu::curand::uniform(x.w)};
}
inline double curand_uniform_double(curandStateXORWOW_t* const state) {
  const unsigned int low = curand(state), high = curand(state);
  return cuemu::curand::uniform_double(low, high);
}
/// Uses only 32 bits.
inline double curand_uniform_double(curandStatePhilox4_32_10_t* const state) {
  return (curand(state) + 1.0) / 4294967296.0;
}
inline double curand_uniform_double(curandStateMRG32k3a_t* const state) {
  return cuemu::curand::mrg_next(*state) * cuemu::curand::mrg_norm;
}
inline double2 curand_uniform2_double(curandStatePhilox4_32_10_t* const state) {
  const uint4 x = curand4(state);
  return double2{cuemu::curand::uniform_double(x.x, x.y), cuemu::curand::uniform_double(x.z, x.w)};
}
inline double4 curand_uniform4_double(curandStatePhilox4_32_10_t* const state) {
  const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
  return double4{a.x, a.y, b.x, b.y};
}
