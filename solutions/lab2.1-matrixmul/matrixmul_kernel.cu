// matrixmul_kernel.cu: the product of two square matrices, tile by tile in shared memory.
//
//   P[row][col] = sum over k of M[row][k] * N[k][col],   k in [0, n)
//
// Why tiles. In lab1.1 each thread reads a whole row of M and a whole column of N from global memory: every
// element of M and N is read n times. The threads of a block compute a square tile of P and need the same
// BLOCK_SIZE rows of M and columns of N. Here they fetch them together, a pair of tiles at a time, into
// shared memory, which all threads of a block see; so each element is read from global memory n/BLOCK_SIZE
// times only.
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
//   1. Which element of P is mine? For each pair of tiles: which elements of M and N do I fetch? (part 1)
//   2. For each pair of tiles: fetch, wait, add up the products within the tiles, wait. (part 2)
//   3. Store the sum. (part 3)
//
// Tiles that stick out over the edge (n is no multiple of BLOCK_SIZE) are filled up with zeros: those add
// nothing to any sum. So every thread of a block takes part in every step, as the barriers ask for.
//
// Run it:  grader lab2.1
#include <lab/todo.hpp>

#include "matrixmul.h"

//   P      (n, n) row-major, device memory, written
//   M, N   (n, n) row-major, device memory, read
__global__ void matrixMul(Real* P, const Real* M, const Real* N, int n) {
  //@part 2 "The product of two tiles" levels=3
  __shared__ Real tile_M[BLOCK_SIZE][BLOCK_SIZE];  // of rows row … of M, and columns m_col … of it
  __shared__ Real tile_N[BLOCK_SIZE][BLOCK_SIZE];  // of rows n_row … of N, and columns col … of it

  //@stub 3
  //| // TODO parts 1 to 3: the whole kernel (about twenty lines): two tiles in shared memory, and the three steps of
  //| // the banner. Any n ≥ 1 and any BLOCK_SIZE from 1 to 32 must work.
  //| LAB_TODO(1);
  //| LAB_TODO(2);
  //| LAB_TODO(3);
  //@end
  //@part 1 "Which elements does a thread fetch?" levels=2-3
  // 1. My place in the tiles, and my element of P.
  const int tx = threadIdx.x;                    // [0, BLOCK_SIZE): column within a tile
  const int ty = threadIdx.y;                    // [0, BLOCK_SIZE): row within a tile
  const int row = blockIdx.y * BLOCK_SIZE + ty;  // of P and M; n or more beyond the edge
  const int col = blockIdx.x * BLOCK_SIZE + tx;  // of P and N
  //@stub 2
  //| // 1. My place in the tiles, and my element of P.
  //| // TODO part 1a (four lines, in place of these): the place in a tile from threadIdx alone; row and col of P.
  //| const int tx = 0;   // [0, BLOCK_SIZE): column within a tile
  //| const int ty = 0;   // [0, BLOCK_SIZE): row within a tile
  //| const int row = 0;  // of P and M; n or more beyond the edge
  //| const int col = 0;  // of P and N
  //| LAB_TODO(1);
  //@stub 3
  //@end
  //@part 2 "The product of two tiles" levels=3
  Real sum = 0;  // in a register: P itself is written once, at the end

  // 2. All pairs of tiles, from left to right in M and from top to bottom in N. The number is rounded up: a
  // last tile that is not full has its products too.
  const int tiles = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
  for (int t = 0; t < tiles; ++t) {  // t: [0, tiles), the same for all threads of a block
    //@stub 3
    //@end
    //@part 1 "Which elements does a thread fetch?" levels=1-3
    const int m_col = t * BLOCK_SIZE + tx;  // I fetch M[row][m_col] …
    const int n_row = t * BLOCK_SIZE + ty;  // … and N[n_row][col]
    //@stub 1
    //| // TODO part 1 (two lines, in place of these): each thread fetches M[row][m_col] and N[n_row][col].
    //| // Input: t (which pair of tiles), BLOCK_SIZE, tx, ty. In tile t = 1 with BLOCK_SIZE 4, thread (tx 2, ty 3)
    //| // fetches column 6 of M and row 7 of N.
    //| const int m_col = 0;
    //| const int n_row = 0;
    //| LAB_TODO(1);
    //@stub 2
    //| // TODO part 1b (two lines, in place of these): the column of M and the row of N that this thread fetches.
    //| const int m_col = 0;
    //| const int n_row = 0;
    //| LAB_TODO(1);
    //@stub 3
    //@end
    //@part 2 "The product of two tiles" levels=2-3
    // Neighbouring threads (tx) fetch neighbouring elements of both matrices: coalesced. Beyond the edge of M
    // or N there is no memory, and a zero adds nothing to the sum.
    tile_M[ty][tx] = row < n && m_col < n ? M[row * n + m_col] : 0;
    tile_N[ty][tx] = n_row < n && col < n ? N[n_row * n + col] : 0;
    __syncthreads();  // no thread may read a tile before all have filled in theirs

    //@stub 2
    //| // TODO part 2a (three lines): fetch M[row][m_col] and N[n_row][col] to [ty][tx] of the tiles, or zeros where
    //| // there are no such elements. Who reads what you wrote, and when may they?
    //| LAB_TODO(2);
    //|
    //@stub 3
    //@end
    //@part 2 "The product of two tiles" levels=1-3
    for (int k = 0; k < BLOCK_SIZE; ++k) {  // k: [0, BLOCK_SIZE), within the tiles
      sum += tile_M[ty][k] * tile_N[k][tx];
    }
    //@stub 1
    //| // TODO part 2 (three lines): add to `sum` the products of these two tiles: row ty of tile_M times column tx
    //| // of tile_N, BLOCK_SIZE products.
    //| LAB_TODO(2);
    //@stub 2
    //| // TODO part 2b (about four lines): add the products of these two tiles to `sum`. The next round overwrites the
    //| // tiles: who may still be reading them?
    //| LAB_TODO(2);
    //@stub 3
    //@end
    //@part 2 "The product of two tiles" levels=2-3
    __syncthreads();  // no thread may overwrite a tile that another still reads
    //@stub 2
    //@stub 3
    //@end
    //@part 2 "The product of two tiles" levels=3
  }

  //@stub 3
  //@end
  //@part 3 "Store the result" levels=1-3
  // 3. Only now do threads outside P part from the others: they were needed to fetch, and at the barriers.
  if (row < n && col < n) P[row * n + col] = sum;
  //@stub 1
  //| // 3. Only now do threads outside P part from the others: they were needed to fetch, and at the barriers.
  //| // TODO part 3 (one line): P[row][col] = sum, for threads whose element exists.
  //| LAB_TODO(3);
  //@stub 2
  //| // TODO part 3 (one line): each sum to its place in P, if it has one.
  //| LAB_TODO(3);
  //@stub 3
  //@end
}
