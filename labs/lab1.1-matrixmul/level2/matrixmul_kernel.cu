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
  // ---- part 5: the whole kernel, one element for each thread (about seven lines) --------------------------
  // The four steps of the banner. Any n from 1 on must work.
  (void)P, (void)M, (void)N, (void)n;  // until they are used: no warning
  LAB_TODO(5);
  // ---- end of part 5 --------------------------------------------------------------------------------------
}
