// matrixmul.h: declarations for the three sources of this lab.
//
//   matrixmul.cu         main and runTest: the host's side of P = M · N
//   matrixmul_kernel.cu  matrixMul: the device's side
//   matrixmul_gold.cpp   the same product on the CPU, to compare with
#ifndef MATRIXMUL_H
#define MATRIXMUL_H

// Type of the elements. The extra exercise needs double: compile with -DREAL=double, or write it here.
#ifndef REAL
#define REAL float
#endif
using Real = REAL;

// A block has BLOCK_SIZE × BLOCK_SIZE threads: 16 × 16 = 256, under the limit of 1024.
#ifndef BLOCK_SIZE
#define BLOCK_SIZE 16
#endif

// The CPU's reference and check (matrixmul_gold.cpp).
//   P, M, N   (n, n) row-major
// Returns whether P is M · N, and prints what it compares, the checksums, and the first wrong elements.
bool checkProduct(const Real* P, const Real* M, const Real* N, int n);

#ifdef __CUDACC__  // only CUDA compilers know the word __global__; matrixmul_gold.cpp is plain C++
__global__ void matrixMul(Real* P, const Real* M, const Real* N, int n);
#endif

#endif
