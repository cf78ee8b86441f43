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
  const int one = first + t < count ? numbers[first + t] : INT_MAX;
  const int other = first + t + THREADS < count ? numbers[first + t + THREADS] : INT_MAX;
  smallest[t] = min(one, other);
  __syncthreads();  // the first level reads what other threads have stored

  // 2. A tree by halves: on each level half as many threads compare.
  for (int distance = THREADS / 2; distance >= 1; distance /= 2) {
    if (t < distance) smallest[t] = min(smallest[t], smallest[t + distance]);
    __syncthreads();  // outside the if: every thread of the block must reach it
  }

  // 3. The block's minimum goes to the first place that this block has read.
  if (t == 0) numbers[first] = smallest[0];
}

// Moves the minimum of each section to its place in a dense array.
//   to     (numbers, sections), device memory, written; not a part of `from`
//   from   (numbers, count), device memory, read
//   all    numbers * sections
__global__ void compact(int* to, const int* from, int count, int sections, int all) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= all) return;
  to[i] = from[i / sections * count + i % sections * SECTION];
}

void minimumReport(int* out, int* scratch, int* values, int m, int numbers) {
  int* from = values;
  int* other = scratch;  // the second array
  int count = m;         // numbers of each position that are left
  do {
    const int sections = sectionsFor(count);
    const int all = numbers * sections;
    reduceSections<<<all, THREADS>>>(from, count, sections);
    CUDA_CHECK_LAUNCH();
    int* const to = sections == 1 ? out : other;
    compact<<<(all + THREADS - 1) / THREADS, THREADS>>>(to, from, count, sections, all);
    CUDA_CHECK_LAUNCH();  // no wait here: launches of one stream run one after another
    other = from;
    from = to;
    count = sections;
  } while (count > 1);
}
