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

  // 1. Each thread contributes the smaller of two numbers. A missing number becomes INT_MAX, which changes no
  //    minimum: the last section of a position may be shorter, and the numbers after it belong to the next
  //    position.
  // ---- part 2: load (four lines) -------------------------------------------------------------------------
  //   a. The first number of the pair is numbers[first + t], the other one THREADS further.
  //   b. Where first + t, or first + t + THREADS, is not below count, take INT_MAX.
  //   c. Put the smaller one of both into smallest[t].
  //   d. Wait: the tree reads what other threads have stored.
  (void)count;  // until it is used: no warning
  LAB_TODO(2);
  // ---- end of part 2 -------------------------------------------------------------------------------------

  // 2. A tree by halves: on each level half as many threads compare.
  for (int distance = THREADS / 2; distance >= 1; distance /= 2) {
    // ---- part 2: one level of the tree (two lines) -------------------------------------------------------
    // The first `distance` threads compare; then a barrier that all threads reach.
    (void)distance;  // until it is used: no warning
    LAB_TODO(2);
    // ---- end of part 2 -----------------------------------------------------------------------------------
  }

  // 3. The block's minimum goes to the first place that this block has read.
  // ---- part 2: store (one line) --------------------------------------------------------------------------
  // One thread writes the minimum to the first number of the section.
  (void)t, (void)numbers, (void)first, (void)&smallest;  // until they are used: no warning
  LAB_TODO(2);
  // ---- end of part 2 -------------------------------------------------------------------------------------
}

// Moves the minimum of each section to its place in a dense array.
//   to     (numbers, sections), device memory, written; not a part of `from`
//   from   (numbers, count), device memory, read
//   all    numbers * sections
__global__ void compact(int* to, const int* from, int count, int sections, int all) {
  // ---- part 3: one element for each thread (three lines) -------------------------------------------------
  //   a. i: the number of this thread in the grid.
  //   b. The last block may have more threads than there are elements left: those have nothing to do.
  //   c. Element i of `to` is the minimum of section i % sections of position i / sections. Where is that in
  //      `from`, in which a position has `count` elements?
  (void)to, (void)from, (void)count, (void)sections, (void)all;  // until they are used: no warning
  LAB_TODO(3);
  // ---- end of part 3 -------------------------------------------------------------------------------------
}

void minimumReport(int* out, int* scratch, int* values, int m, int numbers) {
  int* from = values;
  int* other = scratch;  // the second array
  int count = m;         // numbers of each position that are left
  do {
    const int sections = sectionsFor(count);
    const int all = numbers * sections;
    // ---- part 4: one round (eight lines) -----------------------------------------------------------------
    //   a. Launch reduceSections with one block of THREADS threads for each section of each position, and
    //      CUDA_CHECK_LAUNCH() after it.
    //   b. Where do the minima move to? To `out` when each position has only one section left, else to
    //      `other`.
    //   c. Launch compact with enough blocks of THREADS threads for `all` elements, and check that as well.
    //   d. The next round reads the array that this round has written, and writes to the other one. How many
    //      numbers of each position are left?
    (void)out, (void)&other, (void)&from, (void)all;  // until they are used: no warning
    count = 1;                                        // ends the loop until then: replace it
    LAB_TODO(4);
    // ---- end of part 4 -----------------------------------------------------------------------------------
  } while (count > 1);
}
