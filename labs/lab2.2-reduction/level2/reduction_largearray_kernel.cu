// reduction_largearray_kernel.cu: the sum of an array that is too long for one block, and of any length.
//
//   out[0] = in[0] + in[1] + … + in[n-1]
//
// In lab1.2 a tree in shared memory added up the numbers of one block. Blocks can't wait for each other in
// the middle of a kernel, but a kernel waits for the previous kernel: so each launch does log2(BLOCK_SIZE)
// levels of one large tree, and the end of the launch is the barrier between blocks.
//
// n = 10 and blocks of 4 (a "+" pads the last block with 0):
//
//   in       [ 3 1 7 0 | 4 1 6 3 | 2 5 + + ]     launch 1: 3 blocks
//   out      [ 11        14        7       + ]   launch 2: 1 block
//   out[0]     32
//
// Steps of one block (part 2):
//   1. Load: thread t of block b copies number b * BLOCK_SIZE + t into shared memory, or 0 if there is none.
//   2. Tree in shared memory, as in scheme 2 of lab1.2. A barrier ends each level.
//   3. Store: thread 0 writes the block's sum to the block's place.
// The host repeats launches until one number is left (part 3).
//
// Where do intermediate sums go? A block must not write to an element that another block of the same launch
// may still have to read. So the launches write in turn to two arrays, and `in` is never written:
//
//   in ──▶ out ──▶ scratch ──▶ out ──▶ …      the last launch, a single block, always writes to out
//
// Run it:  grader lab2.2
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include "reduction_largearray.h"

// One launch: block b adds up its BLOCK_SIZE numbers, in[b * BLOCK_SIZE] …, and stores the sum in to[b].
//   to   (gridDim.x), device memory, written
//   in   (n), device memory, read
// A single block may write over its own input (to == in with a grid of 1): it has read all of it before.
__global__ void reductionKernel(float* to, const float* in, int n) {
  __shared__ float sums[BLOCK_SIZE];
  const int t = threadIdx.x;  // [0, BLOCK_SIZE)

  // ---- part 2: the sum of one block (about nine lines) ----------------------------------------------------
  //   1. Load: a zero where there is no number.
  //   2. Tree in shared memory, by halves.
  //   3. Store the block's sum.
  (void)to, (void)in, (void)n, (void)t, (void)&sums;  // until they are used: no warning
  LAB_TODO(2);
  // ---- end of part 2 --------------------------------------------------------------------------------------
}

void reductionArray(float* out, float* scratch, const float* in, int n) {
  // ---- part 3: as many launches as it takes (about nine lines) --------------------------------------------
  // Launch reductionKernel until one number is left, in out[0]. The banner says where the intermediate sums
  // go. `in` is left as it is.
  (void)out, (void)scratch, (void)in, (void)n;  // until they are used: no warning
  LAB_TODO(3);
  // ---- end of part 3 --------------------------------------------------------------------------------------
}
