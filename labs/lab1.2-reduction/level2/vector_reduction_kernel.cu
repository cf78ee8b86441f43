// vector_reduction_kernel.cu: the sum of n numbers in one block, by a tree in shared memory.
//
//   data[0] = data[0] + data[1] + … + data[n-1]
//
// A single thread would need n - 1 additions, one after another. Additions of different pairs don't depend on
// each other, so threads can do them at the same time: 512 partial sums become 256, then 128, … then 1, in
// log2(512) = 9 levels. The schemes differ in which pairs a level adds, and which thread adds them.
// For 8 partial sums a … h ("4+5" is element 4 plus element 5; indices count from 0):
//
//   scheme 1   adjacent pairs                scheme 2   halves              scheme 3   mirror images
//   0+1  2+3  4+5  6+7   distance 1          0+4  1+5  2+6  3+7   4         0+7  1+6  2+5  3+4   7 5 3 1
//   0+2  4+6             distance 2          0+2  1+3             2         0+3  1+2             3 1
//   0+4                  distance 4          0+1                  1         0+1                  1
//
// The sum goes to the first element of each pair, so that the last level leaves the whole sum in element 0.
// Scheme 1 with the numbers 3 1 7 0 4 1 6 3:
//
//   loaded    3  1  7  0  4  1  6  3
//   level 1   4  .  7  .  5  .  9  .       a "." is no longer needed
//   level 2  11  .  .  . 14  .  .  .
//   level 3  25  .  .  .  .  .  .  .
//
// Steps of each kernel:
//   1. Load: thread t copies its numbers from global into shared memory (parts 3 and 8).
//   2. Tree: level by level (parts 4 to 7). A barrier ends each level: the next level reads numbers that
//      other threads have written.
//   3. Store: thread 0 writes the sum to data[0] (part 3).
//
// Run it:  grader lab1.2
#include <lab/todo.hpp>

#include "vector_reduction.h"

// Step 1, the same in all schemes: afterwards sums[0 … NUM_ELEMENTS-1] add up to the sum of data.
//   sums   (NUM_ELEMENTS), shared memory, written
//   data   (n), device memory, read
__device__ void load(float* sums, const float* data, int n) {
  const int t = threadIdx.x;  // [0, NUM_ELEMENTS)
  float sum = 0;              // of this thread's numbers; 0 changes no sum, so it suits a thread with none
  // ---- part 8: the numbers of this thread, for any n from 1 on (one line, in place of all of this) --------
  // These lines serve the first half of the lab: n is NUM_ELEMENTS, and each thread has one number.
  if (n == NUM_ELEMENTS) {
    sum = data[t];
  } else {
    LAB_TODO(8);
  }
  // ---- end of part 8 --------------------------------------------------------------------------------------

  // Its sum goes into shared memory, where the other threads see it.
  // ---- part 3: into shared memory (two lines) -------------------------------------------------------------
  // Result: sums is filled, and every thread may read all of it.
  (void)sums, (void)&sum;  // until they are used: no warning
  LAB_TODO(3);
  // ---- end of part 3 --------------------------------------------------------------------------------------
}

// Step 3, the same in all schemes. No barrier is needed before it: thread 0 has written sums[0] itself.
//   data   (n), device memory; element 0 is written
//   sums   (NUM_ELEMENTS), shared memory, read
__device__ void store(float* data, const float* sums) {
  // ---- part 3: back to global memory (one line) -----------------------------------------------------------
  // The sum goes to element 0 of data.
  (void)data, (void)sums;  // until they are used: no warning
  LAB_TODO(3);
  // ---- end of part 3 --------------------------------------------------------------------------------------
}

// Scheme 1, first layout of the threads: thread t adds to element t. With 8 elements:
//
//   level 1   threads 0 2 4 6    add   elements 0+1  2+3  4+5  6+7
//   level 2   threads 0 4        add            0+2  4+6
//   level 3   thread  0          adds           0+4
//
// The working threads are spread over all warps: in each warp some threads take the `if` and others don't, so
// the warp diverges.
__global__ void reduction1a(float* data, int n) {
  __shared__ float sums[NUM_ELEMENTS];  // one copy for each block; all its threads see it
  const int t = threadIdx.x;            // [0, NUM_ELEMENTS)
  load(sums, data, n);
  // ---- part 4: scheme 1, adjacent pairs (about four lines) ------------------------------------------------
  // All levels, with the threads placed as above.
  (void)t;  // until it is used: no warning
  LAB_TODO(4);
  // ---- end of part 4 --------------------------------------------------------------------------------------
  store(data, sums);
}

// Scheme 1, second layout: the same additions, but the working threads are always the first ones, so that
// whole warps finish early. With 8 elements:
//
//   level 1   threads 0 1 2 3    add   elements 0+1  2+3  4+5  6+7
//   level 2   threads 0 1        add            0+2  4+6
//   level 3   thread  0          adds           0+4
__global__ void reduction1b(float* data, int n) {
  __shared__ float sums[NUM_ELEMENTS];
  const int t = threadIdx.x;
  load(sums, data, n);
  // ---- part 5: scheme 1 with neighbouring threads (about five lines) --------------------------------------
  // The pairs are those of part 4; the threads are placed as above.
  (void)t;  // until it is used: no warning
  LAB_TODO(5);
  // ---- end of part 5 --------------------------------------------------------------------------------------
  store(data, sums);
}

// Scheme 2: the second half is added to the first, so that the remaining numbers are always contiguous. With
// 8 elements:
//
//   level 1   threads 0 1 2 3    add   elements 0+4  1+5  2+6  3+7
//   level 2   threads 0 1        add            0+2  1+3
//   level 3   thread  0          adds           0+1
__global__ void reduction2(float* data, int n) {
  __shared__ float sums[NUM_ELEMENTS];
  const int t = threadIdx.x;
  load(sums, data, n);
  // ---- part 6: scheme 2, halves (about four lines) --------------------------------------------------------
  // All levels, with the threads placed as above.
  (void)t;  // until it is used: no warning
  LAB_TODO(6);
  // ---- end of part 6 --------------------------------------------------------------------------------------
  store(data, sums);
}

// Scheme 3: the second half is added to the first in reverse order: first and last, second and last but one …
// With 8 elements:
//
//   level 1   threads 0 1 2 3    add   elements 0+7  1+6  2+5  3+4    distances 7 5 3 1
//   level 2   threads 0 1        add            0+3  1+2              distances 3 1
//   level 3   thread  0          adds           0+1                   distance  1
__global__ void reduction3(float* data, int n) {
  __shared__ float sums[NUM_ELEMENTS];
  const int t = threadIdx.x;
  load(sums, data, n);
  // ---- part 7: scheme 3, mirror images (about four lines) -------------------------------------------------
  // All levels, with the threads placed as above.
  (void)t;  // until it is used: no warning
  LAB_TODO(7);
  // ---- end of part 7 --------------------------------------------------------------------------------------
  store(data, sums);
}
