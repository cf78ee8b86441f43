// matrixmul_kernel.cu: the tiled product of lab2.1, with four optimisations that matrixmul.h turns on and
// off.
//
//   P[row][col] = sum over k of M[row][k] * N[k][col],   k in [0, width)
//
// All matrices are (width, width) row-major, and width is a multiple of BLOCK_SIZE * WORK_SIZE: no guards. A
// block of BLOCK_SIZE × BLOCK_SIZE threads computes WORK_SIZE tiles of P that lie side by side. For WORK_SIZE
// = 2:
//
//                                N   ┌───┬───┐
//                                    │ t │ t │      in round t a thread fetches one element of the tile of M
//                                    and └───┴───┘      WORK_SIZE elements of the tiles of N, BLOCK_SIZE
//                                    apart
//      M  ┌───┬───┬───┐          P   ┌───┬───┐
//         │   │ t │   │              │ 0 │ 1 │      sum[0] and sum[1] of each thread; M's tile serves both
//         └───┴───┴───┘              └───┴───┘
//
// Steps, with the part that changes each:
//   1. Where are my elements of P?                         part 2 WORK_SIZE, part 3 SPILL
//   2. For each round: fetch the tiles,                    part 2 WORK_SIZE, part 4 PREFETCH
//      and add up the products within them.                part 1 UNROLL, part 2 WORK_SIZE
//   3. Store the sums.                                     part 2 WORK_SIZE
//
// Run it:  grader lab3.1
#include <lab/todo.hpp>

#include "matrixmul.h"

// The compiler may count on this number of threads when it hands out registers: 65,536 a multiprocessor, 64
// for each of 1024 threads.
__global__ void __launch_bounds__(BLOCK_SIZE* BLOCK_SIZE)
    matrixMul(Real* P, const Real* M, const Real* N, int width) {
  __shared__ Real tile_M[BLOCK_SIZE][BLOCK_SIZE];
  __shared__ Real tile_N[BLOCK_SIZE][WORK_SIZE * BLOCK_SIZE];  // WORK_SIZE tiles side by side
  const int tx = threadIdx.x;                    // [0, BLOCK_SIZE): column within a tile
  const int ty = threadIdx.y;                    // [0, BLOCK_SIZE): row within a tile
  const int row = blockIdx.y * BLOCK_SIZE + ty;  // of P and M

  // 1. The first of my columns of P and N; the others are BLOCK_SIZE apart.
  const int first_col = blockIdx.x * WORK_SIZE * BLOCK_SIZE + tx;
#if SPILL
  // Each thread's own place in an array in shared memory. Only its thread uses it, so no barrier is needed;
  // "volatile" forbids the compiler to keep a copy in a register, which it would otherwise do.
  __shared__ volatile int spilled_col[BLOCK_SIZE][BLOCK_SIZE];
  spilled_col[ty][tx] = first_col;
  const volatile int& col = spilled_col[ty][tx];
#else
  const int col = first_col;
#endif

  Real sum[WORK_SIZE] = {};  // all indices are known when compiling, so these are registers
#if PREFETCH
  Real next_N[WORK_SIZE];  // my elements of the next round's tiles: for now those of round 0
  for (int w = 0; w < WORK_SIZE; ++w) next_N[w] = N[ty * width + col + w * BLOCK_SIZE];
  Real next_M = M[row * width + tx];
#endif

  // 2. All pairs of tiles, from left to right in M and from top to bottom in N.
  const int tiles = width / BLOCK_SIZE;
  for (int t = 0; t < tiles; ++t) {
#if PREFETCH
    tile_M[ty][tx] = next_M;
    for (int w = 0; w < WORK_SIZE; ++w) tile_N[ty][w * BLOCK_SIZE + tx] = next_N[w];
    __syncthreads();  // the tiles are full
    if (t + 1 < tiles) {
      // These loads are only waited for where their values are used: in the next round, after the products.
      next_M = M[row * width + (t + 1) * BLOCK_SIZE + tx];
      for (int w = 0; w < WORK_SIZE; ++w)
        next_N[w] = N[((t + 1) * BLOCK_SIZE + ty) * width + col + w * BLOCK_SIZE];
    }
#else
    tile_M[ty][tx] = M[row * width + t * BLOCK_SIZE + tx];
    for (int w = 0; w < WORK_SIZE; ++w)
      tile_N[ty][w * BLOCK_SIZE + tx] = N[(t * BLOCK_SIZE + ty) * width + col + w * BLOCK_SIZE];
    __syncthreads();  // the tiles are full
#endif

    // The inner product, the part of the kernel that takes the time.
    // 0 means as it is written; without this line the compiler would unroll as it likes.
    constexpr int steps = UNROLL == 0 ? 1 : UNROLL;
#pragma unroll steps
    for (int k = 0; k < BLOCK_SIZE; ++k) {
      const Real m = tile_M[ty][k];  // loaded once for all tiles of P
      for (int w = 0; w < WORK_SIZE; ++w) sum[w] += m * tile_N[k][w * BLOCK_SIZE + tx];
    }
    __syncthreads();  // all have read
  }

  // 3. Each sum to its tile of P.
  for (int w = 0; w < WORK_SIZE; ++w) P[row * width + col + w * BLOCK_SIZE] = sum[w];
}
