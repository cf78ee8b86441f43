// matrixmul_kernel.cu: the tiled product of lab2.1, with four optimisations that parameters.h turns on
// and off.
//
//   P[row][col] = sum over k of M[row][k] * N[k][col],   k in [0, width)
//
// Layout. All matrices are (width, width) row-major, and width is a multiple of block_size * work_size: no
// guards. Threads. A block of block_size × block_size threads computes work_size tiles of P that lie side by
// side. With work_size 2, in round t:
//
//                          N   ┌───┬───┐
//                              │ t │ t │    a thread fetches one element of the tile of M, and
//                              ├───┼───┤    work_size elements of the tiles of N, block_size apart
//                              │   │   │
//                              └───┴───┘
//      M  ┌───┬───┐        P   ┌───┬───┐
//         │ t │   │            │ 0 │ 1 │    sum[0] and sum[1] of each thread: the tile of M serves both
//         └───┴───┘            └───┴───┘
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
#include "parameters.h"

// Read by the host's side (matrixmul.cu), which does not include parameters.h.
const Combination compiled = {block_size, unroll, work_size, spill, prefetch};
const bool is_trial = TRIAL;

// __launch_bounds__ promises the compiler this number of threads for its choice of registers: 65,536 per
// multiprocessor are 64 for each of 1024 threads.
__global__ void __launch_bounds__(block_size* block_size)
    matrixMul(Real* P, const Real* M, const Real* N, int width) {
  __shared__ Real tile_M[block_size][block_size];
  const int tx = threadIdx.x;                    // [0, block_size): column within a tile
  const int ty = threadIdx.y;                    // [0, block_size): row within a tile
  const int row = blockIdx.y * block_size + ty;  // of P and M

  // 1. The tiles of N, my columns of P and N, and their sums.
  __shared__ Real tile_N[block_size][work_size * block_size];      // work_size tiles side by side
  const int first_col = blockIdx.x * work_size * block_size + tx;  // the others are block_size apart
  Real sum[work_size] = {};  // all indices are known when compiling, so these are registers
  // With SPILL each thread keeps that index in shared memory, in a place of its own.
  __shared__ int spilled_col[spill ? block_size : 1][spill ? block_size : 1];
  if constexpr (spill) {
    spilled_col[ty][tx] = first_col;  // only this thread uses its place, so no barrier is needed
  }

  // With PREFETCH, registers hold my elements of the next round's tiles: first my elements of round 0.
  Real next_M = 0, next_N[work_size] = {};
  if constexpr (prefetch) {
    next_M = M[row * width + tx];
    for (int w = 0; w < work_size; ++w) next_N[w] = N[ty * width + first_col + w * block_size];
  }

  // 2. All pairs of tiles, from left to right in M and from top to bottom in N.
  const int tiles = width / block_size;
  for (int t = 0; t < tiles; ++t) {
    // Read again in each round: after a barrier the compiler must assume that other threads have changed it.
    const int col = spill ? spilled_col[ty][tx] : first_col;
    if constexpr (prefetch) {
      tile_M[ty][tx] = next_M;
      for (int w = 0; w < work_size; ++w) tile_N[ty][w * block_size + tx] = next_N[w];
      __syncthreads();  // the tiles are full
      if (t + 1 < tiles) {
        // The thread waits for these loads only where it uses their values: in the next round.
        next_M = M[row * width + (t + 1) * block_size + tx];
        for (int w = 0; w < work_size; ++w)
          next_N[w] = N[((t + 1) * block_size + ty) * width + col + w * block_size];
      }
    } else {
      tile_M[ty][tx] = M[row * width + t * block_size + tx];
      for (int w = 0; w < work_size; ++w)
        tile_N[ty][w * block_size + tx] = N[(t * block_size + ty) * width + col + w * block_size];
      __syncthreads();  // the tiles are full
    }

    // The inner product, the part of the kernel that takes the time.
    // UNROLL 0 leaves the loop as written; without this line the compiler would unroll as it likes.
    constexpr int steps = unroll == 0 ? 1 : unroll;
#pragma unroll steps
    for (int k = 0; k < block_size; ++k) {
      const Real m = tile_M[ty][k];  // loaded once for all tiles of P
      for (int w = 0; w < work_size; ++w) sum[w] += m * tile_N[k][w * block_size + tx];
    }
    __syncthreads();  // all have read
  }

  // 3. Each sum to its tile of P.
  const int col = spill ? spilled_col[ty][tx] : first_col;
  // One element in each of the work_size tiles.
  for (int w = 0; w < work_size; ++w) P[row * width + col + w * block_size] = sum[w];
}
