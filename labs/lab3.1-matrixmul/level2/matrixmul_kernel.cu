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
  // TODO part 2 (WORK_SIZE): this kernel computes one tile of P. Let it compute WORK_SIZE of them, side by side,
  // with the same tile of M: every line marked "part 2" changes, about ten in all. The host's grid is right.
  if (WORK_SIZE > 1) LAB_TODO(2);
  __shared__ Real tile_M[BLOCK_SIZE][BLOCK_SIZE];
  __shared__ Real tile_N[BLOCK_SIZE][BLOCK_SIZE];  // part 2: as many tiles as there are in P
  const int tx = threadIdx.x;                    // [0, BLOCK_SIZE): column within a tile
  const int ty = threadIdx.y;                    // [0, BLOCK_SIZE): row within a tile
  const int row = blockIdx.y * BLOCK_SIZE + ty;  // of P and M

  // 1. The first of my columns of P and N; the others are BLOCK_SIZE apart.
  const int first_col = blockIdx.x * BLOCK_SIZE + tx;  // part 2: a block is WORK_SIZE tiles wide
#if SPILL
  // TODO part 3 (SPILL; about three lines, in place of the next): `col` is no register any more, but this
  // thread's own element of a volatile int array [BLOCK_SIZE][BLOCK_SIZE] in shared memory.
  const int col = first_col;
  LAB_TODO(3);
#else
  const int col = first_col;
#endif

  Real sum = 0;  // part 2: one for each tile of P
#if PREFETCH
  // TODO part 4a (PREFETCH; about three lines): the elements of round 0, which this thread will put into the
  // tiles, into registers.
  LAB_TODO(4);
#endif

  // 2. All pairs of tiles, from left to right in M and from top to bottom in N.
  const int tiles = width / BLOCK_SIZE;
  for (int t = 0; t < tiles; ++t) {
#if PREFETCH
    // TODO part 4b (about eight lines): this round's elements from the registers into the tiles; when the tiles
    // are full, the next round's elements into the registers, if there is a next round.
    LAB_TODO(4);
#else
    tile_M[ty][tx] = M[row * width + t * BLOCK_SIZE + tx];
    tile_N[ty][tx] = N[(t * BLOCK_SIZE + ty) * width + col];  // part 2: and its neighbours, BLOCK_SIZE apart
    __syncthreads();  // the tiles are full
#endif

    // The inner product, the part of the kernel that takes the time.
    // TODO part 1 (UNROLL; one or two lines): UNROLL steps of this loop in each round, by the compiler (#pragma
    // unroll N before the loop, N a constant) or by hand; with UNROLL 0 it stays as it is.
    if (UNROLL > 0) LAB_TODO(1);
    #pragma unroll 1
    for (int k = 0; k < BLOCK_SIZE; ++k) {
      sum += tile_M[ty][k] * tile_N[k][tx];  // part 2: for each tile of P
    }
    __syncthreads();  // all have read
  }

  // 3. Each sum to its tile of P.
  P[row * width + col] = sum;  // part 2: and the others
}
