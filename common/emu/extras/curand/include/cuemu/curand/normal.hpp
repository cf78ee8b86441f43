// Normal and log-normal numbers by the Box-Muller transform, which makes two numbers at a time. A function
// that returns one number stores the second number in the state.
//
// The input bits are those of cuRAND. The last digits of the results differ between GPUs and CPUs, since their sines
// and logarithms differ.
#pragma once

#include "cuemu/curand/uniform.hpp"
#include "math_functions.h"

namespace cuemu::curand {

inline float2 box_muller(const float u, const float angle) {
  const float radius = sqrtf(-2.0f * logf(u));
  return float2{sinf(angle) * radius, cosf(angle) * radius};
}
inline double2 box_muller_double(const double u, const double half_turns) {
  const double radius = sqrt(-2.0 * log(u));
  double2 pair;
  sincospi(half_turns, &pair.x, &pair.y);
  return double2{pair.x * radius, pair.y * radius};
}

inline float2 normal_pair(const unsigned int x, const unsigned int y) {
  constexpr float step = two_to_minus_32 * 6.2831855f;
  return box_muller(uniform(x), static_cast<float>(y) * step + step / 2);
}
inline double2 normal_pair_double(const uint4 x) {
  return box_muller_double(uniform_double(x.x, x.y), 2 * uniform_double(x.z, x.w));
}

template <typename State>
inline float2 normal_pair(State* const state) {
  const unsigned int x = ::curand(state), y = ::curand(state);
  return normal_pair(x, y);
}
inline float2 normal_pair(curandStateMRG32k3a_t* const state) {
  const float u = curand_uniform(state);
  return box_muller(u, curand_uniform(state) * 6.2831855f);
}
inline double2 normal_pair_double(curandStateXORWOW_t* const state) {
  uint4 x;
  x.x = ::curand(state), x.y = ::curand(state), x.z = ::curand(state), x.w = ::curand(state);
  return normal_pair_double(x);
}
inline double2 normal_pair_double(curandStatePhilox4_32_10_t* const state) {
  return normal_pair_double(curand4(state));
}
inline double2 normal_pair_double(curandStateMRG32k3a_t* const state) {
  const double u = curand_uniform_double(state);
  return box_muller_double(u, curand_uniform_double(state) * 2);
}

/// Returns the stored number if there is one of this kind. Otherwise returns the first number of `two()`, and
/// stores the second.
template <typename Value, typename Pair>
inline Value one_of(Extra& waiting, Value& extra, const Extra kind, const Pair two) {
  if (waiting == kind) {
    waiting = Extra::none;
    return extra;
  }
  const auto pair = two();
  extra = pair.y;
  waiting = kind;
  return pair.x;
}

}  // namespace cuemu::curand

/// \name Normal numbers with mean 0 and standard deviation 1
/// @{
template <typename State>
inline float2 curand_normal2(State* const state) {
  return cuemu::curand::normal_pair(state);
}
template <typename State>
inline float curand_normal(State* const state) {
  return cuemu::curand::one_of(state->extra.kind, state->extra.value, cuemu::curand::Extra::normal,
                               [state] { return curand_normal2(state); });
}
inline float4 curand_normal4(curandStatePhilox4_32_10_t* const state) {
  const uint4 x = curand4(state);
  const float2 a = cuemu::curand::normal_pair(x.x, x.y), b = cuemu::curand::normal_pair(x.z, x.w);
  return float4{a.x, a.y, b.x, b.y};
}
template <typename State>
inline double2 curand_normal2_double(State* const state) {
  return cuemu::curand::normal_pair_double(state);
}
template <typename State>
inline double curand_normal_double(State* const state) {
  return cuemu::curand::one_of(state->extra.kind_double, state->extra.value_double,
                               cuemu::curand::Extra::normal,
                               [state] { return curand_normal2_double(state); });
}
inline double4 curand_normal4_double(curandStatePhilox4_32_10_t* const state) {
  const double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
  return double4{a.x, a.y, b.x, b.y};
}
/// @}

/// \name Numbers whose logarithms are normal with the given mean and standard deviation
/// @{
template <typename State>
inline float2 curand_log_normal2(State* const state, const float mean, const float deviation) {
  const float2 normal = curand_normal2(state);
  return float2{expf(mean + deviation * normal.x), expf(mean + deviation * normal.y)};
}
template <typename State>
inline float curand_log_normal(State* const state, const float mean, const float deviation) {
  return cuemu::curand::one_of(state->extra.kind, state->extra.value, cuemu::curand::Extra::log_normal,
                               [=] { return curand_log_normal2(state, mean, deviation); });
}
inline float4 curand_log_normal4(curandStatePhilox4_32_10_t* const state, const float mean,
                                 const float deviation) {
  const float4 normal = curand_normal4(state);
  return float4{expf(mean + deviation * normal.x), expf(mean + deviation * normal.y),
                expf(mean + deviation * normal.z), expf(mean + deviation * normal.w)};
}
template <typename State>
inline double2 curand_log_normal2_double(State* const state, const double mean, const double deviation) {
  const double2 normal = curand_normal2_double(state);
  return double2{exp(mean + deviation * normal.x), exp(mean + deviation * normal.y)};
}
template <typename State>
inline double curand_log_normal_double(State* const state, const double mean, const double deviation) {
  return cuemu::curand::one_of(state->extra.kind_double, state->extra.value_double,
                               cuemu::curand::Extra::log_normal,
                               [=] { return curand_log_normal2_double(state, mean, deviation); });
}
inline double4 curand_log_normal4_double(curandStatePhilox4_32_10_t* const state, const double mean,
                                         const double deviation) {
  const double2 a = curand_log_normal2_double(state, mean, deviation);
  const double2 b = curand_log_normal2_double(state, mean, deviation);
  return double4{a.x, a.y, b.x, b.y};
}
/// @}
