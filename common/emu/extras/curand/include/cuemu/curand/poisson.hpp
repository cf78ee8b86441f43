// Poisson numbers. Small means use Knuth's product. Greater means use W. Hörmann's transformed rejection
// ("The transformed rejection method for generating Poisson random variables", 1993). Means above 4000 use
// the normal distribution, as in cuRAND. For means from 64 to 4000, the numbers have the same distribution as
// cuRAND's, but are not the same numbers.
#pragma once

#include "cuemu/curand/normal.hpp"

namespace cuemu::curand {

template <typename State>
inline unsigned int poisson_by_product(State* const state, const float mean) {
  unsigned int count = 0;
  float product = expf(mean);
  do {
    ++count;
    product *= curand_uniform(state);
  } while (product > 1.0f);
  return count - 1;
}

template <typename State>
inline unsigned int poisson_by_rejection(State* const state, const double mean) {
  const double b = 0.931 + 2.53 * sqrt(mean), a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), squeeze = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = static_cast<double>(curand_uniform(state)) - 0.5;
    const double v = static_cast<double>(curand_uniform(state));
    const double distance = 0.5 - fabs(u);
    const double k = floor((2 * a / distance + b) * u + mean + 0.43);
    if (distance >= 0.07 && v <= squeeze) return static_cast<unsigned int>(k);
    if (k < 0 || (distance < 0.013 && v > distance)) continue;
    if (log(v * inverse_alpha / (a / (distance * distance) + b)) <= k * log(mean) - mean - lgamma(k + 1))
      return static_cast<unsigned int>(k);
  }
}

}  // namespace cuemu::curand

/// A random number of events whose expected number is `mean`.
template <typename State>
inline unsigned int curand_poisson(State* const state, const double mean) {
  if (mean < 64) return cuemu::curand::poisson_by_product(state, static_cast<float>(mean));
  if (mean > 4000) return static_cast<unsigned int>(sqrt(mean) * curand_normal_double(state) + mean + 0.5);
  return cuemu::curand::poisson_by_rejection(state, mean);
}
inline uint4 curand_poisson4(curandStatePhilox4_32_10_t* const state, const double mean) {
  if (mean > 4000) {
    const double4 n = curand_normal4_double(state);
    const double root = sqrt(mean);
    return uint4{static_cast<unsigned int>(root * n.x + mean + 0.5),
                 static_cast<unsigned int>(root * n.y + mean + 0.5),
                 static_cast<unsigned int>(root * n.z + mean + 0.5),
                 static_cast<unsigned int>(root * n.w + mean + 0.5)};
  }
  uint4 result;
  result.x = curand_poisson(state, mean);
  result.y = curand_poisson(state, mean);
  result.z = curand_poisson(state, mean);
  result.w = curand_poisson(state, mean);
  return result;
}
