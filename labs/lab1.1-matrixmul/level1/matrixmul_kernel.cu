// matrixmul_kernel.cu: the product of two square matrices on the device, one thread for each element of the
// result.
//
//   P[row][col] = sum over k of M[row][k] * N[k][col],   k in [0, n)
//
// Layout. All three are (n, n) row-major: the elements of a row lie side by side, so element [row][col] is at
// row * n + col. For n = 8:
//
//            col 0   1   2 …  7                   M[2][5] is element 2 * 8 + 5 = 21
//   row 0        0   1   2 …  7
//   row 1        8   9  10 … 15                   a step to the right is + 1
//   row 2       16  17  18 … 23                   a step down is         + n
//
// Threads. The grid is two-dimensional and covers P: x counts columns, y counts rows. When n is not a multiple
// of the block's side, the last blocks extend beyond the edge of P: their outer threads have nothing to do.
//
// Steps (all of them are part 5):
//   1. From its block and its place in the block, a thread finds the row and the column of its element.
//   2. A thread outside P returns.
//   3. It walks along row `row` of M and down column `col` of N, and adds up the products.
//   4. It stores the sum.
//
// Run it:  grader lab1.1
#include <lab/todo.hpp>

#include "matrixmul.h"

//   P      (n, n) row-major, device memory, written
//   M, N   (n, n) row-major, device memory, read
__global__ void matrixMul(Real* P, const Real* M, const Real* N, int n) {
  // 1. This thread's element. x is the column, so that neighbouring threads of a warp read neighbours in N.
  // ---- part 5: row and column of this thread's element (two lines) ----------------------------------------
  // Input: blockIdx (which block), blockDim (its size), threadIdx (which thread in it), each with .x and .y.
  // With blocks of 16 × 16, thread (x 3, y 0) of block (x 2, y 0) has column 2 * 16 + 3 = 35. Replace both
  // zeros.
  const int row = 0;
  const int col = 0;
  LAB_TODO(5);
  // ---- end of part 5 --------------------------------------------------------------------------------------

  // 2. The guard: n need not be a multiple of the block's side, and there is no memory beyond the edge.
  if (row >= n || col >= n) return;

  // 3. The inner product. The sum is in a register: adding to P[…] itself would access memory n times.
  Real sum = 0;
  // ---- part 5: the inner product (about three lines) ------------------------------------------------------
  // Add up the n products of row `row` of M, whose elements are 1 apart, and column `col` of N, whose
  // elements are n apart.
  (void)M, (void)N;  // until they are used: no warning
  LAB_TODO(5);
  // ---- end of part 5 --------------------------------------------------------------------------------------

  // 4. Exactly one thread writes each element, so threads need not wait for each other.
  P[row * n + col] = sum;
}
