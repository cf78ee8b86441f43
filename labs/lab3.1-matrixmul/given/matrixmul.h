// matrixmul.h: what the sources of this lab share.
//
//   matrixmul.cu           main and runTest: the host's side of P = M · N, and its report on the kernel
//   matrixmul_kernel.cu    matrixMul: the tiled product of lab2.1, with four optimisations
//   parameters.h           the parameters that are tuned; matrixmul_kernel.cu alone includes them
//   matrixmul_gold.cpp     the same product on the CPU, to compare with
//   explanation.cpp        your reasons for the combination in parameters.h (part 5)
//   matrixmul_fp32.cu, matrixmul_tensor.cu, matrixmul_hopper.cu, matrixmul_experts.h, matrixmul_shares.h,
//   matrixmul_halves.h
//                          the experts' kernels, which have parameters of their own (level 3)
#ifndef MATRIXMUL_H
#define MATRIXMUL_H

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

// The parameters that matrixMul was compiled with. The other sources read them here and not in parameters.h,
// so that other values need a new build of matrixmul_kernel.cu alone.
extern const Combination compiled;
extern const bool is_trial;  // parameters were given when compiling, and not chosen in parameters.h

// The CPU's reference and check (matrixmul_gold.cpp).
//   P, M, N     (n, n) row-major
//   tolerance   largest error of an element, over the sum of the sizes of its terms; 0 for equality
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
