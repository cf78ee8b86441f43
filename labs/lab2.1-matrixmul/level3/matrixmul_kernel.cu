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
  // ---- parts 1 to 3: the whole kernel (about twenty lines) ------------------------------------------------
  // Two tiles in shared memory, and the three steps of the banner: which elements a thread fetches (part 1),
  // the product of two tiles (part 2), the result (part 3). Any n from 1 on and any BLOCK_SIZE from 1 to 32
  // must work.
  (void)P, (void)M, (void)N, (void)n;  // until they are used: no warning
  LAB_TODO(1);
  LAB_TODO(2);
  LAB_TODO(3);
  // ---- end of parts 1 to 3 --------------------------------------------------------------------------------
}
