// Thrust's random engines and distributions, which may be used in kernels.
#pragma once

#include <cmath>
#include <limits>
#include <random>

#include "cuemu/thrust/system.hpp"

namespace thrust {

using std::discard_block_engine;
using std::linear_congruential_engine;
using std::minstd_rand;
using std::minstd_rand0;
using default_random_engine = minstd_rand;

/// Numbers in [low, high). Each uses one number of the engine.
template <class Real = double>
class uniform_real_distribution {
 public:
  using result_type = Real;
  explicit uniform_real_distribution(const Real low = 0, const Real high = 1) : low_(low), high_(high) {}
  template <class Engine>
  Real operator()(Engine& engine) {
    const Real offset = static_cast<Real>(engine() - Engine::min());
    const Real fraction = offset / (static_cast<Real>(Engine::max() - Engine::min()) + 1);
    return fraction * (high_ - low_) + low_;
  }
  Real a() const { return low_; }
  Real b() const { return high_; }

 private:
  Real low_, high_;
};
/// Whole numbers from low to high.
template <class Integer = int>
class uniform_int_distribution {
 public:
  using result_type = Integer;
  explicit uniform_int_distribution(const Integer low = 0,
                                    const Integer high = std::numeric_limits<Integer>::max())
      : low_(low), high_(high) {}
  template <class Engine>
  Integer operator()(Engine& engine) {
    uniform_real_distribution<double> real(static_cast<double>(low_), static_cast<double>(high_) + 1);
    return static_cast<Integer>(std::floor(real(engine)));
  }

 private:
  Integer low_, high_;
};
/// Normal numbers. Each uses two numbers of the engine.
template <class Real = double>
class normal_distribution {
 public:
  using result_type = Real;
  explicit normal_distribution(const Real mean = 0, const Real deviation = 1)
      : mean_(mean), deviation_(deviation) {}
  template <class Engine>
  Real operator()(Engine& engine) {
    uniform_real_distribution<double> uniform(0, 1);
    const double u = 1 - uniform(engine), v = uniform(engine);
    const double normal = std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * v);
    return mean_ + deviation_ * static_cast<Real>(normal);
  }

 private:
  Real mean_, deviation_;
};

namespace random {
using thrust::default_random_engine;
using thrust::minstd_rand;
using thrust::minstd_rand0;
using thrust::normal_distribution;
using thrust::uniform_int_distribution;
using thrust::uniform_real_distribution;
}  // namespace random

}  // namespace thrust
