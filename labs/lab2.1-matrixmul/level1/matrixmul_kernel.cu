// matrixmul_kernel.cu: the product of two square matrices, tile by tile in shared memory.
//
//   P[row][col] = sum over k of M[row][k] * N[k][col],   k in [0, n)
//
// Why tiles. In lab1.1 each thread reads a whole row of M and a whole column of N from global memory: every
// element of M and N is read n times. The threads of a block compute a square tile of P and need the same
// BLOCK_SIZE rows of M and columns of N. Here they fetch these together, a pair of tiles at a time, into
// shared memory, which all threads of a block see; so each element is read from global memory only
// n/BLOCK_SIZE times.
//
//                          N      ┌───┐                 for n = 8 and BLOCK_SIZE = 4, block (x 1, y 0)
//                                 │ 0 │ rows 0 … 3      needs two pairs of tiles:
//                                 ├───┤                   t = 0:  columns 0 … 3 of M, rows 0 … 3 of N
//                                 │ 1 │ rows 4 … 7        t = 1:  columns 4 … 7 of M, rows 4 … 7 of N
//                                 └───┘
//      M  ┌───┬───┐        P  ┌───┬───┐
//         │ 0 │ 1 │           │   │ ▓ │ ◀ this block's tile of P
//         └───┴───┘           └───┴───┘
//
// Layout. M, N and P are (n, n) row-major: element [row][col] is at row * n + col.
// Threads. Thread (tx, ty) of a block computes element (row, col) of P, and in each step it fetches one
// element of each tile: the same place [ty][tx] in both.
//
// Steps:
//   1. Find this thread's element of P and, for each pair of tiles, the elements that it fetches. (part 1)
//   2. For each pair of tiles: fetch, wait, add up the products within the tiles, wait. (part 2)
//   3. Store the sum. (part 3)
//
// Tiles that extend beyond the edge (n is not a multiple of BLOCK_SIZE) are filled up with zeros, which add
// nothing to any sum. So every thread of a block takes part in every step, as the barriers require.
//
// Run it:  grader lab2.1
#include <lab/todo.hpp>

#include "matrixmul.h"

//   P      (n, n) row-major, device memory, written
//   M, N   (n, n) row-major, device memory, read
__global__ void matrixMul(Real* P, const Real* M, const Real* N, int n) {
  __shared__ Real tile_M[BLOCK_SIZE][BLOCK_SIZE];  // [ty][tx] holds M[row][m_col]
  __shared__ Real tile_N[BLOCK_SIZE][BLOCK_SIZE];  // [ty][tx] holds N[n_row][col]

  // 1. This thread's place in the tiles, and its element of P.
  const int tx = threadIdx.x;                    // [0, BLOCK_SIZE): column within a tile
  const int ty = threadIdx.y;                    // [0, BLOCK_SIZE): row within a tile
  const int row = blockIdx.y * BLOCK_SIZE + ty;  // of P and M; n or more beyond the edge
  const int col = blockIdx.x * BLOCK_SIZE + tx;  // of P and N

  Real sum = 0;  // in a register: P itself is written once, at the end

  // 2. All pairs of tiles, from left to right in M and from top to bottom in N. The number is rounded up: a
  // last tile that is not full has products, too.
  const int tiles = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
  for (int t = 0; t < tiles; ++t) {  // [0, tiles), the same for all threads of a block
    // This thread fetches the elements M[row][m_col] and N[n_row][col].
    // ---- part 1: which elements does a thread fetch? (two lines) ------------------------------------------
    // Input: t (which pair of tiles), BLOCK_SIZE, tx, ty. In tile t = 1 with BLOCK_SIZE 4, the thread with tx
    // 2 and ty 3 fetches column 6 of M and row 7 of N. Replace the zeros.
    const int m_col = 0;
    const int n_row = 0;
    LAB_TODO(1);
    // ---- end of part 1 ------------------------------------------------------------------------------------

    // Neighbouring threads (tx) fetch neighbouring elements of both matrices: coalesced.
    // Beyond the edge of M or N there is no memory, and a zero adds nothing to the sum.
    tile_M[ty][tx] = row < n && m_col < n ? M[row * n + m_col] : 0;
    tile_N[ty][tx] = n_row < n && col < n ? N[n_row * n + col] : 0;
    __syncthreads();  // no thread may read a tile before all have filled in theirs

    // This thread's row of M's tile times its column of N's.
    // ---- part 2: the product of two tiles (three lines) ---------------------------------------------------
    // Add to `sum` the BLOCK_SIZE products of row ty of tile_M and column tx of tile_N.
    LAB_TODO(2);
    // ---- end of part 2 ------------------------------------------------------------------------------------
    __syncthreads();  // no thread may overwrite a tile that another still reads
  }

  // 3. Threads outside P skip only the store: before it they had to fetch, and to reach the barriers.
  // ---- part 3: store the result (one line) ----------------------------------------------------------------
  // `sum` goes to P[row][col], by threads whose element exists.
  LAB_TODO(3);
  // ---- end of part 3 --------------------------------------------------------------------------------------
}
