// matrixmul.h: the parameters of this lab, and what its sources share.
//
//   matrixmul.cu           main and runTest: the host's side of P = M · N, and what it says of its kernel
//   matrixmul_kernel.cu    matrixMul: the tiled product of lab2.1, with four optimisations
//   matrixmul_gold.cpp     the same product on the CPU, to compare with
//   explanation.cpp        why the combination below is a good one (part 5)
//   matrixmul_fp32.cu, matrixmul_tensor.cu, matrixmul_experts.h, matrixmul_shares.h
//                          the experts' kernels, which have parameters of their own (level 3)
#ifndef MATRIXMUL_H
#define MATRIXMUL_H

#include <lab/todo.hpp>

// Type of the elements.
#ifndef REAL
#define REAL float
#endif
using Real = REAL;

// The five parameters, and the values that are tried.
struct Combination {
  int block_size;  // 4, 8, 16, 32    side of a tile: a block has block_size × block_size threads
  int unroll;      // 0, 2, 4, 16     steps of the inner product in one round of its loop; 0: as it is written
  int work_size;   // 1, 2, 4         tiles of P, side by side, that a block computes with the same tile of M
  bool spill;      // false, true     is the index of a thread's column in shared memory, not in a register?
  bool prefetch;   // false, true     are the next tiles on their way while these are multiplied?
};

// The combination that was chosen. explanation.cpp says why.
// ---- part 5: a combination near the best (five values) ----------------------------------------------------
// Find values for which the product of 4096 × 4096 matrices is nearly as fast as with the best of all 192
// combinations. The tables of the handout show what each of them does alone. Delete the function when you
// have chosen, and explain your choice in explanation.cpp.
constexpr Combination combination = {16, 0, 1, false, false};
inline void chooseCombination() {
  LAB_TODO(5);
}
// ---- end of part 5 ----------------------------------------------------------------------------------------

// Values given when compiling, as in nvcc -DUNROLL=4 -DWORK_SIZE=2, are a trial: they replace those above,
// and nobody has to explain them.
#if defined(BLOCK_SIZE) || defined(UNROLL) || defined(WORK_SIZE) || defined(SPILL) || defined(PREFETCH)
#define TRIAL 1
#else
#define TRIAL 0
#endif
#ifndef BLOCK_SIZE
#define BLOCK_SIZE combination.block_size
#endif
#ifndef UNROLL
#define UNROLL combination.unroll
#endif
#ifndef WORK_SIZE
#define WORK_SIZE combination.work_size
#endif
#ifndef SPILL
#define SPILL combination.spill
#endif
#ifndef PREFETCH
#define PREFETCH combination.prefetch
#endif
constexpr int block_size = BLOCK_SIZE, unroll = UNROLL, work_size = WORK_SIZE;
constexpr bool spill = SPILL, prefetch = PREFETCH;

static_assert(block_size >= 1 && block_size * block_size <= 1024,
              "BLOCK_SIZE must be from 1 to 32: a block has at most 1024 threads");
static_assert(unroll >= 0 && work_size >= 1, "UNROLL must be 0 or more, and WORK_SIZE 1 or more");
static_assert(block_size * block_size * ((1 + work_size) * sizeof(Real) + spill * sizeof(int)) <= 48 * 1024,
              "the tiles of this BLOCK_SIZE and WORK_SIZE do not fit in a block's 48 KiB of shared memory");

// The CPU's reference and check (matrixmul_gold.cpp).
//   P, M, N     (n, n) row-major
//   tolerance   what an element may be wrong by, over the sum of the sizes of its terms; 0 for equality
// Returns whether P is M · N, and prints what it compares, the checksums, and the first wrong elements.
bool checkProduct(const Real* P, const Real* M, const Real* N, int n, double tolerance);

// Why this combination? (explanation.cpp)
const char* explanation();

#ifdef __CUDACC__  // only CUDA compilers know the word __global__; the .cpp files are plain C++
// Computes P = M · N.
//   grid, block   (width / block_size / work_size, width / block_size), (block_size, block_size)
//   P, M, N       (width, width) row-major, device memory; width is a multiple of block_size * work_size
__global__ void matrixMul(Real* P, const Real* M, const Real* N, int width);
#endif

#endif
