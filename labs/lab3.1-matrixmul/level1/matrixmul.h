// matrixmul.h: the parameters of this lab, and what its sources share.
//
//   matrixmul.cu          main and runTest: the host's side of P = M · N, and what the program says of its
//   kernel
//
//   matrixmul_kernel.cu   matrixMul: the tiled product of lab2.1 with four optimisations that can be turned
//   on
//
//   matrixmul_gold.cpp    the same product on the CPU, to compare with
//
//   explanation.cpp       your reasons for the combination below (part 5)
//
//   matrixmul_fp32.cu, matrixmul_tensor.cu, matrixmul_experts.h, matrixmul_shares.h   the experts' kernels,
//   which have parameters of their own (level 3)
//
// Edit the five values, or try others without editing: nvcc -DUNROLL=4 -DWORK_SIZE=2 …
#ifndef MATRIXMUL_H
#define MATRIXMUL_H

// Values given with -D are a trial: only the combination in this file is the one to be explained.
#if defined(BLOCK_SIZE) || defined(UNROLL) || defined(WORK_SIZE) || defined(SPILL) || defined(PREFETCH)
#define TRIAL 1
#else
#define TRIAL 0
#endif

// Type of the elements.
#ifndef REAL
#define REAL float
#endif
using Real = REAL;

// TODO part 5: find five values for which the product of 4096 × 4096 matrices is nearly as fast as with the
// best of all 192 combinations, and explain them in explanation.cpp. The tables of the handout show what
// each of them does alone.

// Side of a tile: a block has BLOCK_SIZE × BLOCK_SIZE threads.   4, 8, 16, 32
#ifndef BLOCK_SIZE
#define BLOCK_SIZE 16
#endif

// How many steps of the inner product stand in one round of its loop.   0 (as written), 2, 4, 16
#ifndef UNROLL
#define UNROLL 0
#endif

// How many tiles of P, side by side, a block computes with the same tile of M.   1, 2, 4
#ifndef WORK_SIZE
#define WORK_SIZE 1
#endif

// 1: a thread keeps the index of its column in shared memory instead of in a register.   0, 1
#ifndef SPILL
#define SPILL 0
#endif

// 1: the next tiles are on their way while these are multiplied.   0, 1
#ifndef PREFETCH
#define PREFETCH 0
#endif

static_assert(BLOCK_SIZE >= 1 && BLOCK_SIZE * BLOCK_SIZE <= 1024,
              "BLOCK_SIZE must be from 1 to 32: a block has at most 1024 threads");
static_assert(UNROLL >= 0 && WORK_SIZE >= 1, "UNROLL must be 0 or more, and WORK_SIZE 1 or more");
static_assert((SPILL == 0 || SPILL == 1) && (PREFETCH == 0 || PREFETCH == 1),
              "SPILL and PREFETCH are 0 or 1");
static_assert(
    BLOCK_SIZE * BLOCK_SIZE * ((1 + WORK_SIZE) * sizeof(Real) + SPILL * sizeof(int)) <= 48 * 1024,
    "the tiles of this BLOCK_SIZE and WORK_SIZE do not fit in the 48 KiB of shared memory of a block");

// The CPU's reference and check (matrixmul_gold.cpp).
//   P, M, N     (n, n) row-major
//   tolerance   what an element may be wrong by, over the sum of the sizes of its terms; 0 for equality
// Returns whether P is M · N, and prints what it compares, the checksums, and the first wrong elements.
bool checkProduct(const Real* P, const Real* M, const Real* N, int n, double tolerance);

// Why these values? (explanation.cpp)
const char* explanation();

#ifdef __CUDACC__  // only CUDA compilers know the word __global__; the .cpp files are plain C++
// Computes P = M · N.   grid: (width / BLOCK_SIZE / WORK_SIZE, width / BLOCK_SIZE), block: (BLOCK_SIZE,
// BLOCK_SIZE)
//   P, M, N   (width, width) row-major, device memory; width is a multiple of BLOCK_SIZE * WORK_SIZE
__global__ void matrixMul(Real* P, const Real* M, const Real* N, int width);
#endif

#endif
