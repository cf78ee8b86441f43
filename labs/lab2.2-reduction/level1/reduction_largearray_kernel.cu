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

  // 1. Load. The last block may reach beyond the end of the array: the zeros there change no sum, so the tree
  // needs no special cases.
  // ---- part 2: load (three lines) -------------------------------------------------------------------------
  // This thread's number goes into its element of sums.
  //   a. Which number of the array is it? Thread t of block b has number b * BLOCK_SIZE + t.
  //   b. Put 0 into sums[t] where there is no number.
  //   c. Wait: the tree reads what other threads have loaded.
  (void)in, (void)n;  // until they are used: no warning
  LAB_TODO(2);
  // ---- end of part 2 --------------------------------------------------------------------------------------

  // 2. Tree, scheme 2 of lab1.2: the second half is added to the first.
  for (int distance = BLOCK_SIZE / 2; distance >= 1; distance /= 2) {
    // ---- part 2: one level of the tree (two lines) --------------------------------------------------------
    // The first `distance` threads add; then a barrier that all threads reach.
    (void)t;  // until it is used: no warning
    LAB_TODO(2);
    // ---- end of part 2 ------------------------------------------------------------------------------------
  }

  // 3. Store. Each block has a separate element.
  // ---- part 2: store (one line) ---------------------------------------------------------------------------
  // One thread writes the block's sum to the block's place in `to`.
  (void)to, (void)&sums;  // until they are used: no warning
  LAB_TODO(2);
  // ---- end of part 2 --------------------------------------------------------------------------------------
}

void reductionArray(float* out, float* scratch, const float* in, int n) {
  const float* from = in;  // (count), what the next launch adds up
  int count = n;
  do {
    // ---- part 3: one launch (six lines) -------------------------------------------------------------------
    //   a. How many blocks cover `count` numbers? blocksFor(count) rounds up.
    //   b. Which array do they write? They write out; but if they read out, they write scratch, unless there
    //      is only one block.
    //   c. Launch reductionKernel with that many blocks of BLOCK_SIZE threads. CUDA_CHECK_LAUNCH() on a
    //      separate line reports a launch that was refused.
    //   d. The next launch reads the sums that this one has written: set from and count.
    (void)out, (void)scratch, (void)&from;  // until they are used: no warning
    LAB_TODO(3);
    count = 1;  // ends the loop until then: replace it
    // ---- end of part 3 ------------------------------------------------------------------------------------
  } while (count > 1);
}
