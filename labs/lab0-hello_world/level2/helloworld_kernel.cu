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
  // ---- part 2: print the indices of this thread (one call of printf) --------------------------------------
  // For the first thread of the first block the line must read
  //   Hello World! I am a thread with BlockID: {0, 0}, ThreadID: {0, 0, 0}
  LAB_TODO(2);
  // ---- end of part 2 --------------------------------------------------------------------------------------
}
