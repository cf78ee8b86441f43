// cuRAND's host API: generators that fill device or host memory.
//
// XORWOW, MRG32k3a and Philox give the same bits and uniform numbers as cuRAND, in its default and legacy
// orders. MT19937 gives the numbers of one twister, whereas cuRAND interleaves many. Sobol's numbers are
// those of cuRAND, for 3667 dimensions. MTGP32 and scrambled quasi-random generators are missing
// (CURAND_STATUS_TYPE_ERROR).
#pragma once
#define CURAND_H_

#include "cuemu/push_macros.hpp"

#include <cstdio>

#include "cuda_runtime.h"
#include "cuemu/curand/generator.hpp"

#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 4
#define CURAND_VER_PATCH 0
#define CURAND_VER_BUILD 35
#define CURAND_VERSION (CURAND_VER_MAJOR * 1000 + CURAND_VER_MINOR * 100 + CURAND_VER_PATCH)

typedef enum curandStatus {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;

typedef enum curandRngType {
  CURAND_RNG_TEST = 0,
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
  CURAND_RNG_QUASI_SOBOL64 = 203,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
} curandRngType_t;

typedef enum curandOrdering {
  CURAND_ORDERING_PSEUDO_BEST = 100,
  CURAND_ORDERING_PSEUDO_DEFAULT = 101,
  CURAND_ORDERING_PSEUDO_SEEDED = 102,
  CURAND_ORDERING_PSEUDO_LEGACY = 103,
  CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
  CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering_t;

typedef enum curandDirectionVectorSet {
  CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102,
  CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104
} curandDirectionVectorSet_t;

struct curandGenerator_st {
  curandGenerator_st(const curandRngType_t kind, const bool fills_host) : type(kind), on_host(fills_host) {}
  curandRngType_t type;
  bool on_host;
  unsigned long long seed = 0, offset = 0;
  unsigned dimensions = 1;  ///< of quasi-random numbers
  curandOrdering_t ordering = CURAND_ORDERING_PSEUDO_DEFAULT;
  cudaStream_t stream = nullptr;
  std::unique_ptr<cuemu::curand::Generator> numbers;

  bool is_quasi() const { return type >= CURAND_RNG_QUASI_DEFAULT; }
  /// True if `n` is valid: even for pairs of normal numbers, and a multiple of the number of dimensions.
  bool takes(const size_t n, const bool in_pairs) const {
    return is_quasi() ? n % dimensions == 0 : !in_pairs || n % 2 == 0;
  }
  void restart() {
    using namespace cuemu::curand;
    const std::size_t streams = ordering == CURAND_ORDERING_PSEUDO_LEGACY ? 4096 : 81920;
    switch (type) {
      case CURAND_RNG_PSEUDO_MRG32K3A:
        numbers = std::make_unique<StreamsGenerator<curandStateMRG32k3a_t, 1>>(streams);
        break;
      case CURAND_RNG_PSEUDO_PHILOX4_32_10:
        numbers = std::make_unique<StreamsGenerator<curandStatePhilox4_32_10_t, 4>>(65536);
        break;
      case CURAND_RNG_PSEUDO_MT19937:
        numbers = std::make_unique<MersenneGenerator>();
        break;
      case CURAND_RNG_QUASI_DEFAULT:
      case CURAND_RNG_QUASI_SOBOL32:
        numbers = std::make_unique<SobolGenerator<unsigned int>>(dimensions);
        break;
      case CURAND_RNG_QUASI_SOBOL64:
        numbers = std::make_unique<SobolGenerator<unsigned long long>>(dimensions);
        break;
      default:
        numbers = std::make_unique<StreamsGenerator<curandStateXORWOW_t, 1>>(4096);
    }
    numbers->restart(seed, offset);
  }
};
typedef struct curandGenerator_st* curandGenerator_t;

namespace cuemu::curand {

inline curandStatus_t create(curandGenerator_t* const generator, const curandRngType_t type,
                             const bool on_host) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  *generator = nullptr;
  const bool known = type == CURAND_RNG_PSEUDO_DEFAULT || type == CURAND_RNG_PSEUDO_XORWOW ||
                     type == CURAND_RNG_PSEUDO_MRG32K3A || type == CURAND_RNG_PSEUDO_MT19937 ||
                     type == CURAND_RNG_PSEUDO_PHILOX4_32_10 || type == CURAND_RNG_QUASI_DEFAULT ||
                     type == CURAND_RNG_QUASI_SOBOL32 || type == CURAND_RNG_QUASI_SOBOL64;
  if (!known) {
    std::fprintf(
        stderr,
        "cuemu: cuRAND's generator %d (scrambled Sobol or MTGP32) is not emulated: XORWOW, Philox, MRG32k3a, "
        "MT19937 and Sobol are\n",
        static_cast<int>(type));
    return CURAND_STATUS_TYPE_ERROR;
  }
  if (type >= CURAND_RNG_QUASI_DEFAULT && sobol_dimensions() == 0) {
    std::fputs(
        "cuemu: the kit was built without Sobol's direction numbers: sudo apt-get install libboost-dev, and "
        "build "
        "it again\n",
        stderr);
    return CURAND_STATUS_TYPE_ERROR;
  }
  *generator = new curandGenerator_st(type, on_host);
  (*generator)->restart();
  return CURAND_STATUS_SUCCESS;
}
/// Waits until no queued work uses the generator, then changes it.
template <class Change>
inline curandStatus_t change(const curandGenerator_t generator, const Change apply) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (!generator->on_host) cudaStreamSynchronize(generator->stream);
  apply(*generator);
  generator->restart();
  return CURAND_STATUS_SUCCESS;
}
/// Runs `draw(numbers)` at once for host memory, and as a kernel in the generator's stream for device memory.
template <class Draw>
inline curandStatus_t generate(const curandGenerator_t generator, const void* const out, const size_t n,
                               const Draw draw, const bool in_pairs = false) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (!generator->takes(n, in_pairs)) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  if (out == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  Generator* const numbers = generator->numbers.get();
  if (generator->on_host) {
    draw(*numbers);
    return CURAND_STATUS_SUCCESS;
  }
  {
    const PendingLaunch pending(1, 1, 0, generator->stream);
    kernel_entry(KernelInfo{"curandGenerate"}, [=](CUEMU_KERNEL_PARAMS) mutable -> void { draw(*numbers); });
  }
  return cudaPeekAtLastError() == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

}  // namespace cuemu::curand

inline curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  return cuemu::curand::create(generator, type, false);
}
/// Creates a generator that fills host memory before its calls return.
inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  return cuemu::curand::create(generator, type, true);
}
inline curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (!generator->on_host) cudaStreamSynchronize(generator->stream);
  delete generator;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGetVersion(int* version) {
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (!generator->on_host) cudaStreamSynchronize(generator->stream);
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                         unsigned long long seed) {
  if (generator != nullptr && generator->is_quasi()) return CURAND_STATUS_TYPE_ERROR;
  return cuemu::curand::change(generator, [=](curandGenerator_st& g) { g.seed = seed; });
}
inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  return cuemu::curand::change(generator, [=](curandGenerator_st& g) { g.offset = offset; });
}
inline curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  const bool quasi = generator != nullptr && generator->is_quasi();
  if (quasi ? order != CURAND_ORDERING_QUASI_DEFAULT
            : order < CURAND_ORDERING_PSEUDO_BEST || order > CURAND_ORDERING_PSEUDO_DYNAMIC)
    return CURAND_STATUS_OUT_OF_RANGE;
  return cuemu::curand::change(generator, [=](curandGenerator_st& g) { g.ordering = order; });
}
inline curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                              unsigned int dimensions) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (!generator->is_quasi()) return CURAND_STATUS_TYPE_ERROR;
  if (dimensions == 0 || dimensions > 20000) return CURAND_STATUS_OUT_OF_RANGE;
  if (dimensions > cuemu::curand::sobol_dimensions()) {
    std::fprintf(
        stderr,
        "cuemu: Sobol's numbers have %u dimensions here: %u were requested, of the 20000 that cuRAND has\n",
        cuemu::curand::sobol_dimensions(), dimensions);
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  return cuemu::curand::change(generator, [=](curandGenerator_st& g) { g.dimensions = dimensions; });
}

namespace cuemu::curand {
/// Returns the status for a set of direction vectors. Scrambled sets are not available, since they are
/// NVIDIA's own numbers.
template <class Vectors>
inline curandStatus_t give_vectors(Vectors** const result, const bool plain, const Vectors* const vectors) {
  if (result == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  if (plain && vectors != nullptr) {
    *result = const_cast<Vectors*>(vectors);
    return CURAND_STATUS_SUCCESS;
  }
  std::fputs(
      plain
          ? "cuemu: the kit was built without Sobol's direction numbers: sudo apt-get install libboost-dev, "
            "and build it again\n"
          : "cuemu: cuRAND's scrambled direction vectors and its constants are not emulated: plain vectors "
            "are, and "
            "kernels may scramble with constants of the program's own\n",
      stderr);
  return CURAND_STATUS_TYPE_ERROR;
}
}  // namespace cuemu::curand

/// Returns the vectors of all 3667 dimensions: an array of 32 numbers for each dimension.
inline curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t** vectors,
                                                  curandDirectionVectorSet_t set) {
  if (vectors != nullptr) *vectors = nullptr;
  if (set != CURAND_DIRECTION_VECTORS_32_JOEKUO6 && set != CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6)
    return CURAND_STATUS_OUT_OF_RANGE;
  return cuemu::curand::give_vectors(vectors, set == CURAND_DIRECTION_VECTORS_32_JOEKUO6,
                                     cuemu::curand::sobol_vectors32());
}
inline curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t** vectors,
                                                  curandDirectionVectorSet_t set) {
  if (vectors != nullptr) *vectors = nullptr;
  if (set != CURAND_DIRECTION_VECTORS_64_JOEKUO6 && set != CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6)
    return CURAND_STATUS_OUT_OF_RANGE;
  return cuemu::curand::give_vectors(vectors, set == CURAND_DIRECTION_VECTORS_64_JOEKUO6,
                                     cuemu::curand::sobol_vectors64());
}
/// The scramble constants are NVIDIA's own numbers and are not available. Kernels may use constants of their
/// own.
inline curandStatus_t curandGetScrambleConstants32(unsigned int** constants) {
  return cuemu::curand::give_vectors(constants, false, static_cast<const unsigned int*>(nullptr));
}
inline curandStatus_t curandGetScrambleConstants64(unsigned long long** constants) {
  return cuemu::curand::give_vectors(constants, false, static_cast<const unsigned long long*>(nullptr));
}
inline curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  return generator == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_SUCCESS;
}

inline curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* out, size_t n) {
  if (generator != nullptr && generator->type == CURAND_RNG_QUASI_SOBOL64) return CURAND_STATUS_TYPE_ERROR;
  return cuemu::curand::generate(generator, out, n, [=](cuemu::curand::Generator& g) { g.bits(out, n); });
}
/// Fills memory with 64-bit numbers; only for 64-bit generators.
inline curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long* out, size_t n) {
  using Sobol = cuemu::curand::SobolGenerator<unsigned long long>;
  if (generator != nullptr && generator->type != CURAND_RNG_QUASI_SOBOL64) return CURAND_STATUS_TYPE_ERROR;
  return cuemu::curand::generate(
      generator, out, n, [=](cuemu::curand::Generator& g) { static_cast<Sobol&>(g).long_bits(out, n); });
}
inline curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* out, size_t n) {
  return cuemu::curand::generate(generator, out, n, [=](cuemu::curand::Generator& g) { g.uniform(out, n); });
}
inline curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* out, size_t n) {
  return cuemu::curand::generate(generator, out, n, [=](cuemu::curand::Generator& g) { g.uniform(out, n); });
}

namespace cuemu::curand {
/// Normal numbers come in pairs, so `n` must be even.
template <class Real, class Change>
inline curandStatus_t generate_normal(const curandGenerator_t generator, Real* const out, const size_t n,
                                      const Change change) {
  return generate(
      generator, out, n,
      [=](Generator& g) {
        g.normal(out, n);
        for (size_t i = 0; i < n; ++i) out[i] = change(out[i]);
      },
      true);
}
}  // namespace cuemu::curand

inline curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* out, size_t n, float mean,
                                           float deviation) {
  return cuemu::curand::generate_normal(generator, out, n,
                                        [=](const float x) { return mean + deviation * x; });
}
inline curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* out, size_t n,
                                                 double mean, double deviation) {
  return cuemu::curand::generate_normal(generator, out, n,
                                        [=](const double x) { return mean + deviation * x; });
}
inline curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* out, size_t n, float mean,
                                              float deviation) {
  return cuemu::curand::generate_normal(generator, out, n,
                                        [=](const float x) { return expf(mean + deviation * x); });
}
inline curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* out, size_t n,
                                                    double mean, double deviation) {
  return cuemu::curand::generate_normal(generator, out, n,
                                        [=](const double x) { return exp(mean + deviation * x); });
}
inline curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* out, size_t n,
                                            double mean) {
  return cuemu::curand::generate(generator, out, n,
                                 [=](cuemu::curand::Generator& g) { g.poisson(out, n, mean); });
}

#include "cuemu/pop_macros.hpp"
