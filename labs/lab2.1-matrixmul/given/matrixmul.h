// matrixmul.h: declarations for the three sources of this lab, and the size of a tile.
//
//   matrixmul.cu         main and runTest: the host's side of P = M · N; there is nothing to do
//   matrixmul_kernel.cu  matrixMul: the device's side, with tiles in shared memory
//   matrixmul_gold.cpp   the same product on the CPU, to compare with
#ifndef MATRIXMUL_H
#define MATRIXMUL_H

// Type of the elements.
#ifndef REAL
#define REAL float
#endif
using Real = REAL;

// Side of a tile, and of a block: BLOCK_SIZE × BLOCK_SIZE threads work on two tiles of as many elements.
// Try 4, 8, 16, and 6, 12, 24, 32: change it here, or compile with -DBLOCK_SIZE=8.
#ifndef BLOCK_SIZE
#define BLOCK_SIZE 16
#endif
static_assert(BLOCK_SIZE >= 1 && BLOCK_SIZE * BLOCK_SIZE <= 1024,
              "BLOCK_SIZE must be from 1 to 32: a block has at most 1024 threads");
static_assert(2 * BLOCK_SIZE * BLOCK_SIZE * sizeof(Real) <= 48 * 1024,
              "two tiles must fit in the 48 KiB of static shared memory of a block");

// The CPU's reference and check (matrixmul_gold.cpp).
//   P, M, N   (n, n) row-major
// Returns whether P is M · N, and prints what it compares, the checksums, and the first wrong elements.
bool checkProduct(const Real* P, const Real* M, const Real* N, int n);

#ifdef __CUDACC__  // only CUDA compilers know the word __global__; matrixmul_gold.cpp is plain C++
__global__ void matrixMul(Real* P, const Real* M, const Real* N, int n);
#endif

#endif
