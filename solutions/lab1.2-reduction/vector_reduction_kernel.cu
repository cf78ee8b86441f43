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
  // n < NUM_ELEMENTS: the threads from n on have no number, and pad the array with zeros.
  // n > NUM_ELEMENTS: thread t also takes data[t + 512], data[t + 1024] … In each round the threads of a warp
  // read neighbours.
  for (int i = t; i < n; i += NUM_ELEMENTS) sum += data[i];

  // Its sum goes into shared memory, where the other threads see it.
  sums[t] = sum;
  __syncthreads();  // the first level reads numbers that other threads have loaded
}

// Step 3, the same in all schemes. No barrier is needed before it: thread 0 has written sums[0] itself.
//   data   (n), device memory; element 0 is written
//   sums   (NUM_ELEMENTS), shared memory, read
__device__ void store(float* data, const float* sums) {
  if (threadIdx.x == 0) data[0] = sums[0];
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
  for (int distance = 1; distance < NUM_ELEMENTS; distance *= 2) {  // 1, 2, 4, … 256
    if (t % (2 * distance) == 0) sums[t] += sums[t + distance];
    __syncthreads();  // outside the if: every thread of the block must reach it
  }
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
  for (int distance = 1; distance < NUM_ELEMENTS; distance *= 2) {  // 1, 2, 4, … 256
    const int first = 2 * distance * t;  // of this thread's pair; beyond the end for most threads
    if (first < NUM_ELEMENTS) sums[first] += sums[first + distance];
    __syncthreads();
  }
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
  for (int distance = NUM_ELEMENTS / 2; distance >= 1; distance /= 2) {  // 256, 128, … 1
    if (t < distance) sums[t] += sums[t + distance];
    __syncthreads();
  }
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
  for (int count = NUM_ELEMENTS; count >= 2; count /= 2) {  // partial sums that are left: 512, 256, … 2
    if (t < count / 2) sums[t] += sums[count - 1 - t];
    __syncthreads();
  }
  store(data, sums);
}
