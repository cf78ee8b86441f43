// helloworld_kernel.cu: the work of each thread.
//
// A launch starts a grid of blocks, and every block holds the same number of threads. All run the same
// function, and each finds its own indices in two variables:
//
//   blockIdx.x, .y, .z     which block of the grid         [0, gridDim.x)   …
//   threadIdx.x, .y, .z    which thread of its block       [0, blockDim.x)  …
//
// In a block of (1, 2, 4) threads, x is 0, y is 0 or 1, and z is 0 to 3: 1 * 2 * 4 = 8 threads.
//
// Step:
//   1. Print one line with the indices of this thread (part 2).
//
// Run it:  grader lab0
#include <cstdio>

#include <lab/todo.hpp>

#include "helloworld.h"

// Each thread prints one line. The lines of different threads come in no particular order.
__global__ void helloWorld() {
  // 1. The indices of this thread.
  printf("Hello World! I am a thread with BlockID: {%u, %u}, ThreadID: {%u, %u, %u}\n",  // %u: unsigned
         blockIdx.x, blockIdx.y, threadIdx.x, threadIdx.y, threadIdx.z);
}
