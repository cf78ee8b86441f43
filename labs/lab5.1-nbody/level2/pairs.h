// pairs.h: all pairs of N balls in a row, and from a number in that row to its pair (part 3).
//
//      j
//      1   (0,1)                                 number 0
//      2   (0,2) (1,2)                                  1  2
//      3   (0,3) (1,3) (2,3)                            3  4  5
//      4   (0,4) (1,4) (2,4) (3,4)                      6  7  8  9
//
// Row j begins with number j (j - 1) / 2. So the pair's j is the greatest one for which that is not above the number:
//
//      j = floor(1/2 + sqrt(1/4 + 2 number))         i = number - j (j - 1) / 2
#ifndef PAIRS_H
#define PAIRS_H

#include <lab/todo.hpp>

// Balls i < j.
struct Pair {
  int i, j;
};

// How many pairs are in the rows above row j: all pairs of j balls. 64 bits: with 32, j (j - 1) is too large from
// 46,342 balls on.
__host__ __device__ inline long long pairsBefore(int j) {
  // ---- part 3: pairs above row j -----------------------------------------------------------------------------------
  (void)j;  // until they are used: no warning
  LAB_TODO(3);
  return 0;
  // ---- end of part 3 -----------------------------------------------------------------------------------------------
}

// The pair with this number, for up to 2^20 balls.
__device__ inline Pair pairOf(long long number) {
  // ---- part 3: row and column of a number --------------------------------------------------------------------------
  // The formula is above. How many digits of the root can a float have, and what do whole numbers know better?
  (void)number;  // until they are used: no warning
  LAB_TODO(3);
  return {0, 1};
  // ---- end of part 3 -----------------------------------------------------------------------------------------------
}

#endif
