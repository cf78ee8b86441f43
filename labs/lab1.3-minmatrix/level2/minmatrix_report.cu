// minmatrix_report.cu: the minimum of m numbers at each of n * n positions, by the report's two kernels.
//
//   values   (numbers, m) transposed: position p has the m numbers values[p * m] … values[p * m + m - 1]
//
// The program works in rounds of two launches each:
//   1. reduceSections: a block of 1024 threads takes a section of 2048 numbers of one position, and leaves
//      their minimum in the place of the first number. No block writes to an element that another block
//      reads.
//   2. compact: these minima, 2048 elements apart, move together, into a second array.
// After a round each position has one number for each section. The last round, which leaves one number of
// each position, writes to the result.
//
// Two positions of 10 numbers in sections of 4:
//
//   values    3 1 7 0  4 1 6 3  2 5  |  9 8 7 9  6 8 5 9  8 7        3 sections a position
//   step 1    0 · · ·  1 · · ·  2 ·  |  7 · · ·  5 · · ·  7 ·
//   step 2    0 1 2 | 7 5 7                                          in the second array
//   next      0 · · | 5 · ·     then the result  0 5
//
// Why a second array? Thread i of `compact` writes element i, which another thread may still have to read:
// threads of different blocks run in no particular order.
//
// Run it:  grader lab1.3
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include <climits>

#include "minmatrix.h"

// Block b takes section b % sections of position b / sections.
//   values   (numbers, count), device memory: position p begins at p * count; the first number of each section
//            becomes its minimum
__global__ void reduceSections(int* values, int count, int sections) {
  __shared__ int smallest[THREADS];
  const int t = threadIdx.x;                          // [0, THREADS)
  const int position = blockIdx.x / sections;         // [0, numbers)
  int* const numbers = values + position * count;     // (count), those of this position
  const int first = blockIdx.x % sections * SECTION;  // of this section

  // ---- part 2: the minimum of a section (about nine lines) -----------------------------------------------
  //   1. Each thread brings the smaller one of two numbers, which are THREADS apart, into shared memory. What
  //      does it take if there is none?
  //   2. A tree by halves.
  //   3. The minimum goes to the section's first place.
  (void)count, (void)t, (void)numbers, (void)first, (void)&smallest;  // until they are used: no warning
  LAB_TODO(2);
  // ---- end of part 2 -------------------------------------------------------------------------------------
}

// Moves the minimum of each section to its place in a dense array.
//   to     (numbers, sections), device memory, written; not a part of `from`
//   from   (numbers, count), device memory, read
//   all    numbers * sections
__global__ void compact(int* to, const int* from, int count, int sections, int all) {
  // ---- part 3: one element for each thread (three lines) -------------------------------------------------
  // The minimum of each section moves to its place in `to`.
  (void)to, (void)from, (void)count, (void)sections, (void)all;  // until they are used: no warning
  LAB_TODO(3);
  // ---- end of part 3 -------------------------------------------------------------------------------------
}

void minimumReport(int* out, int* scratch, int* values, int m, int numbers) {
  // ---- part 4: the rounds (about fourteen lines) ---------------------------------------------------------
  // Launch both kernels, round after round, until one number of each position is left, in `out`. The banner says what a
  // round does. Two arrays take turns; which is the second one?
  (void)out, (void)scratch, (void)values, (void)m, (void)numbers;  // until they are used: no warning
  LAB_TODO(4);
  // ---- end of part 4 -------------------------------------------------------------------------------------
}
