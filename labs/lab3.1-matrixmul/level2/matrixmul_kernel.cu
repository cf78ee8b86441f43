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
  // ---- part 2: tiles of N, first column, sums (three lines, in place of these) ----------------------------
  // This kernel computes one tile of P, right for WORK_SIZE 1. Let it compute work_size of them, side by
  // side, with the same tile of M. Here: as many tiles of N; where does a block's first column lie; a sum for
  // each tile of P. The other blanks of part 2 follow from these. The host's grid is right.
  __shared__ Real tile_N[block_size][block_size];
  const int first_col = blockIdx.x * block_size + tx;
  Real sum = 0;
  if (work_size > 1) LAB_TODO(2);
  // ---- end of part 2 --------------------------------------------------------------------------------------
  // With SPILL each thread keeps that index in shared memory, in a place of its own.
  __shared__ int spilled_col[spill ? block_size : 1][spill ? block_size : 1];
  if constexpr (spill) {
    // ---- part 3: spill the index into shared memory (one line) --------------------------------------------
    // first_col goes to this thread's place.
    LAB_TODO(3);
    // ---- end of part 3 ------------------------------------------------------------------------------------
  }

  // With PREFETCH, registers hold my elements of the next round's tiles: first my elements of round 0.
  // ---- part 4: the elements of round 0 (about four lines) -------------------------------------------------
  // Variables for the elements that this thread puts into the tiles in each round, one of M and work_size of
  // N; with PREFETCH they are loaded here for round 0.
  if constexpr (prefetch) LAB_TODO(4);
  // ---- end of part 4 --------------------------------------------------------------------------------------

  // 2. All pairs of tiles, from left to right in M and from top to bottom in N.
  const int tiles = width / block_size;
  for (int t = 0; t < tiles; ++t) {
    // Read again in each round: after a barrier the compiler must assume that other threads have changed it.
    // ---- part 3: the index, wherever it is kept (one line, in place of these) -----------------------------
    // With SPILL it is read from shared memory, and first_col is no longer needed.
    const int col = first_col;
    if constexpr (spill) LAB_TODO(3);
    // ---- end of part 3 ------------------------------------------------------------------------------------
    if constexpr (prefetch) {
      // ---- part 4: fill the tiles, and fetch the next ones (about eight lines) ----------------------------
      // This round's elements go from the registers into the tiles. When the tiles are full, the next round's
      // elements are loaded into the registers, if there is a next round.
      LAB_TODO(4);
      // ---- end of part 4 ----------------------------------------------------------------------------------
    } else {
      tile_M[ty][tx] = M[row * width + t * block_size + tx];
      // ---- part 2: my elements of all tiles of N (two lines, in place of these) ---------------------------
      // They are block_size apart, in N and in tile_N.
      tile_N[ty][tx] = N[(t * block_size + ty) * width + col];
      if (work_size > 1) LAB_TODO(2);
      // ---- end of part 2 ----------------------------------------------------------------------------------
      __syncthreads();  // the tiles are full
    }

    // The inner product, the part of the kernel that takes the time.
    // ---- part 1: unroll the inner product (one or two lines, in place of these) ---------------------------
    // With UNROLL, the loop below does that many steps in each round: by the compiler (#pragma unroll N
    // before the loop, N a constant) or by hand. With UNROLL 0 it stays as it is.
    if (unroll > 0) LAB_TODO(1);
#pragma unroll 1
    // ---- end of part 1 ------------------------------------------------------------------------------------
    for (int k = 0; k < block_size; ++k) {
      // ---- part 2: one step for all tiles of P (two lines, in place of these) -----------------------------
      // The element of tile_M serves them all.
      sum += tile_M[ty][k] * tile_N[k][tx];
      if (work_size > 1) LAB_TODO(2);
      // ---- end of part 2 ----------------------------------------------------------------------------------
    }
    __syncthreads();  // all have read
  }

  // 3. Each sum to its tile of P.
  // ---- part 3: the index once more (one line, in place of these) ------------------------------------------
  const int col = first_col;
  if constexpr (spill) LAB_TODO(3);
  // ---- end of part 3 --------------------------------------------------------------------------------------
  // One element in each of the work_size tiles.
  // ---- part 2: store all sums (one line, in place of these) -----------------------------------------------
  // Each goes to its tile of P.
  P[row * width + col] = sum;
  if (work_size > 1) LAB_TODO(2);
  // ---- end of part 2 --------------------------------------------------------------------------------------
}
