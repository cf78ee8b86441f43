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
  // ---- part 1: this thread's place, and its element of P (four lines) -------------------------------------
  // The place within a tile comes from threadIdx alone, in [0, BLOCK_SIZE). row and col of P are as in
  // lab1.1; beyond the edge they are n or more. Replace the zeros.
  const int tx = 0;   // column within a tile
  const int ty = 0;   // row within a tile
  const int row = 0;  // of P and M
  const int col = 0;  // of P and N
  LAB_TODO(1);
  // ---- end of part 1 --------------------------------------------------------------------------------------

  Real sum = 0;  // in a register: P itself is written once, at the end

  // 2. All pairs of tiles, from left to right in M and from top to bottom in N. The number is rounded up: a
  // last tile that is not full has products, too.
  const int tiles = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
  for (int t = 0; t < tiles; ++t) {  // [0, tiles), the same for all threads of a block
    // This thread fetches the elements M[row][m_col] and N[n_row][col].
    // ---- part 1: which elements does a thread fetch? (two lines) ------------------------------------------
    // The column of M and the row of N in pair t of tiles. Replace the zeros.
    const int m_col = 0;
    const int n_row = 0;
    LAB_TODO(1);
    // ---- end of part 1 ------------------------------------------------------------------------------------

    // Neighbouring threads (tx) fetch neighbouring elements of both matrices: coalesced.
    // ---- part 2: fetch the two elements (three lines) -----------------------------------------------------
    // M[row][m_col] and N[n_row][col] go to [ty][tx] of the tiles; zeros where there are no such elements.
    // Which threads read these elements, and when may they?
    (void)M, (void)N, (void)m_col, (void)n_row;  // until they are used: no warning
    LAB_TODO(2);
    // ---- end of part 2 ------------------------------------------------------------------------------------

    // This thread's row of M's tile times its column of N's.
    // ---- part 2: the product of two tiles (about four lines) ----------------------------------------------
    // Add to `sum` the products of these two tiles. The next round overwrites the tiles: which threads may
    // still be reading them?
    (void)tile_M, (void)tile_N;  // until they are used: no warning
    LAB_TODO(2);
    // ---- end of part 2 ------------------------------------------------------------------------------------
  }

  // 3. Threads outside P skip only the store: before it they had to fetch, and to reach the barriers.
  // ---- part 3: store the result (one line) ----------------------------------------------------------------
  // Each sum goes to its place in P, if it has one.
  (void)P;  // until it is used: no warning
  LAB_TODO(3);
  // ---- end of part 3 --------------------------------------------------------------------------------------
}
