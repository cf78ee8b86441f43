// Generators of the host API. As in cuRAND, the numbers of one call come from many subsequences in turn, and
// the states of these subsequences persist between calls. Number n is the next number of subsequence (n /
// step) mod `streams`. A step is one number, two numbers for normal distributions, or four numbers for
// Philox.
#pragma once

#include <memory>
#include <random>
#include <vector>

#include "cuemu/curand/poisson.hpp"
#include "cuemu/curand/sobol.hpp"

namespace cuemu::curand {

/// The interface of generators. Each function increases `position`, the number of results so far.
class Generator {
 public:
  virtual ~Generator() = default;
  virtual void restart(unsigned long long seed, unsigned long long offset) = 0;
  virtual void bits(unsigned int* out, std::size_t n) = 0;
  virtual void uniform(float* out, std::size_t n) = 0;
  virtual void uniform(double* out, std::size_t n) = 0;
  virtual void normal(float* out, std::size_t n) = 0;
  virtual void normal(double* out, std::size_t n) = 0;
  virtual void poisson(unsigned int* out, std::size_t n, double mean) = 0;
};

inline void next_subsequence(curandStateXORWOW_t& state) {
  skipahead_sequence(1, &state);
}
inline void next_subsequence(curandStatePhilox4_32_10_t& state) {
  skipahead_sequence(1, &state);
}
inline void next_subsequence(curandStateMRG32k3a_t& state) {
  MrgSubsequence::get().skip(state);
}

/// A generator with many subsequences. `Step` successive numbers come from the same one.
template <class State, unsigned Step>
class StreamsGenerator : public Generator {
 public:
  explicit StreamsGenerator(const std::size_t streams) : streams_(streams) { restart(0, 0); }

  void restart(const unsigned long long seed, const unsigned long long offset) override {
    states_.clear();
    states_.reserve(streams_);  // here on the host, since `new` in a kernel uses the device's small heap
    position_ = first_ = offset;
    curand_init(seed, 0, 0, &next_);
  }
  void bits(unsigned int* const out, const std::size_t n) override {
    fill(out, n, Step, [](State* const state) { return ::curand(state); });
  }
  void uniform(float* const out, const std::size_t n) override {
    fill(out, n, Step, [](State* const state) { return curand_uniform(state); });
  }
  void uniform(double* const out, const std::size_t n) override {
    if constexpr (Step == 4) {  // two numbers of 53 bits from four of 32
      bool second = false;
      double2 pair{};
      fill(out, n, 4, [&](State* const state) {
        if (!second) pair = curand_uniform2_double(state);
        second = !second;
        return second ? pair.x : pair.y;
      });
    } else {
      fill(out, n, Step, [](State* const state) { return curand_uniform_double(state); });
    }
  }
  void normal(float* const out, const std::size_t n) override {
    fill(out, n, Step == 1 ? 2 : Step, [](State* const state) { return curand_normal(state); });
  }
  void normal(double* const out, const std::size_t n) override {
    fill(out, n, Step == 1 ? 2 : Step, [](State* const state) { return curand_normal_double(state); });
  }
  void poisson(unsigned int* const out, const std::size_t n, const double mean) override {
    fill(out, n, Step, [mean](State* const state) { return curand_poisson(state, mean); });
  }

 private:
  template <class Value, class Draw>
  void fill(Value* const out, const std::size_t n, const unsigned step, const Draw draw) {
    for (std::size_t i = 0; i < n; ++i) out[i] = draw(&state((position_ + i) / step % streams_));
    position_ += n;
  }
  State& state(const std::size_t stream) {
    while (states_.size() <= stream) {
      // The numbers before the first position count as drawn from this subsequence.
      const unsigned long long round = first_ / (Step * streams_), rest = first_ % (Step * streams_);
      const unsigned long long begin = states_.size() * Step;
      const unsigned long long more = rest <= begin ? 0 : rest - begin < Step ? rest - begin : Step;
      states_.push_back(next_);
      skipahead(round * Step + more, &states_.back());
      next_subsequence(next_);
    }
    return states_[stream];
  }

  std::size_t streams_;
  std::vector<State> states_;
  State next_{};  ///< the state of the first subsequence that is not in `states_` yet
  unsigned long long position_ = 0, first_ = 0;
};

/// The Mersenne twister of the standard library.
class MersenneGenerator : public Generator {
 public:
  void restart(const unsigned long long seed, const unsigned long long offset) override {
    engine_.seed(static_cast<unsigned int>(seed));
    engine_.discard(offset);
  }
  void bits(unsigned int* const out, const std::size_t n) override {
    for (std::size_t i = 0; i < n; ++i) out[i] = next();
  }
  void uniform(float* const out, const std::size_t n) override {
    for (std::size_t i = 0; i < n; ++i) out[i] = cuemu::curand::uniform(next());
  }
  void uniform(double* const out, const std::size_t n) override {
    for (std::size_t i = 0; i < n; ++i) {
      const unsigned int low = next();
      out[i] = uniform_double(low, next());
    }
  }
  void normal(float* const out, const std::size_t n) override {
    for (std::size_t i = 0; i + 1 < n; i += 2) {
      const unsigned int x = next();
      const float2 pair = normal_pair(x, next());
      out[i] = pair.x, out[i + 1] = pair.y;
    }
  }
  void normal(double* const out, const std::size_t n) override {
    for (std::size_t i = 0; i + 1 < n; i += 2) {
      uint4 x;
      x.x = next(), x.y = next(), x.z = next(), x.w = next();
      const double2 pair = normal_pair_double(x);
      out[i] = pair.x, out[i + 1] = pair.y;
    }
  }
  void poisson(unsigned int* const out, const std::size_t n, const double mean) override {
    std::poisson_distribution<unsigned int> draw(mean);
    for (std::size_t i = 0; i < n; ++i) out[i] = draw(engine_);
  }

 private:
  unsigned int next() { return static_cast<unsigned int>(engine_()); }
  std::mt19937 engine_;
};

/// Sobol's numbers, dimension by dimension: of n results, the first n / dimensions belong to the first
/// dimension.
template <class Word>
class SobolGenerator : public Generator {
 public:
  explicit SobolGenerator(const unsigned dimensions) : dimensions_(dimensions) {}

  void restart(unsigned long long, const unsigned long long offset) override { position_ = offset; }
  void bits(unsigned int* const out, const std::size_t n) override {
    fill(out, n, [](const Word x) { return static_cast<unsigned int>(x); });
  }
  void long_bits(unsigned long long* const out, const std::size_t n) {
    fill(out, n, [](const Word x) { return static_cast<unsigned long long>(x); });
  }
  void uniform(float* const out, const std::size_t n) override {
    fill(out, n, [](const Word x) { return cuemu::curand::uniform(x); });
  }
  void uniform(double* const out, const std::size_t n) override {
    fill(out, n, [](const Word x) { return uniform_double(x); });
  }
  void normal(float* const out, const std::size_t n) override {
    fill(out, n, [](const Word x) { return normal_of(x); });
  }
  void normal(double* const out, const std::size_t n) override {
    fill(out, n, [](const Word x) { return normal_of_double(x); });
  }
  /// Returns the smallest number whose cumulative probability reaches the uniform number.
  void poisson(unsigned int* const out, const std::size_t n, const double mean) override {
    fill(out, n, [mean](const Word x) {
      const double u = uniform_double(x);
      double share = exp(-mean), sum = share;
      unsigned int k = 0;
      while (sum < u && k < 1000000) share *= mean / ++k, sum += share;
      return k;
    });
  }

 private:
  template <class Value, class Of>
  void fill(Value* const out, const std::size_t n, const Of of) {
    const std::size_t each = n / dimensions_;
    for (unsigned d = 0; d < dimensions_; ++d) {
      SobolState<Word, false> state;
      const Word* vectors;
      if constexpr (sizeof(Word) == 4)
        vectors = sobol_vectors32()[d];
      else
        vectors = sobol_vectors64()[d];
      sobol_begin(state, vectors, Word{0}, static_cast<Word>(position_));
      for (std::size_t i = 0; i < each; ++i) out[d * each + i] = of(sobol_next(state));
    }
    position_ += each;
  }
  unsigned dimensions_;
  unsigned long long position_ = 0;
};

}  // namespace cuemu::curand
