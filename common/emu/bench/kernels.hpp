// The measured code: functions that launch a kernel on the emulation and wait for it, and the same loops in plain
// OpenMP C++.
//
// All pointers of the launching functions are device pointers; n counts elements, products are n × n and
// row-major. Blocks have 256 threads (16 × 16 in products), and n is a multiple of the block's size.
#pragma once

#include <cstdint>

// Each kernel exists twice: as emucc builds it by default, and with each thread on a separate stack (--no-fission).
#define CUEMU_BENCH_KERNELS                                                                               \
  void naive_product(const float* a, const float* b, float* c, int n);                                    \
  void tiled_product(const float* a, const float* b, float* c, int n); /* two barriers a tile */          \
  void tree_reduction(const float* in, float* sums, int n);            /* nine barriers; sums: n/256 */   \
  void shuffle_reduction(const float* in, float* sums, int n);         /* by warps; sums: n/256 */        \
  void called_reduction(const float* in, float* sums, int n);          /* the tree in a function */       \
  void decided_reduction(const float* in, float* sums, int n);         /* its stride is shared */         \
  void own_reduction(const float* in, float* sums, int n);             /* each thread's own stride */     \
  void voted_reduction(const float* in, float* sums, int n);           /* by __syncthreads_or */          \
  void groups_reduction(const float* in, float* sums, int n);          /* the shuffles of a tile */       \
  void divergent_reduction(const float* in, float* sums, int n);       /* the last ones of a few lanes */ \
  void vector_addition(const float* a, const float* b, float* c, int n);                                  \
  void histogram(const unsigned char* in, unsigned* counts, int n); /* counts: 256 */                     \
  void tiny_launches(float* data, int launches);                    /* 32 threads each */                 \
  void nested_launches(float* data, int parents);                   /* each launches 32 threads */

namespace split {
CUEMU_BENCH_KERNELS
}
namespace fibers {
CUEMU_BENCH_KERNELS
}

/// The same computations in host memory. product_ijk translates the kernel's loop literally; product_ikj is the loop as
/// a C++ programmer would write it.
namespace plain {
void product_ijk(const float* a, const float* b, float* c, int n);
void product_ikj(const float* a, const float* b, float* c, int n);
float sum(const float* in, int n);
void vector_addition(const float* a, const float* b, float* c, int n);
void histogram(const unsigned char* in, unsigned* counts, int n);
void tiny_loops(float* data, int loops);  ///< each over 32 elements
}  // namespace plain
