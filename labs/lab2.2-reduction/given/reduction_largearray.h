// reduction_largearray.h: declarations for the sources of this lab.
//
//   reduction_largearray.cu         main and runTest: the host's side, with the timer
//   reduction_largearray_kernel.cu  reductionArray: the sum of an array of any length, by several launches
//   reduction_expert.cu             reductionExpert: the same sum as fast as the memory delivers (level 3)
//   reduction_largearray_gold.cpp   the same sum on the CPU
#ifndef REDUCTION_LARGEARRAY_H
#define REDUCTION_LARGEARRAY_H

#include <vector>

// Threads of a block, and numbers that a block adds up in one launch: a power of two, at most 1024.
#ifndef BLOCK_SIZE
#define BLOCK_SIZE 256
#endif
static_assert(BLOCK_SIZE >= 2 && BLOCK_SIZE <= 1024 && (BLOCK_SIZE & (BLOCK_SIZE - 1)) == 0,
              "the tree needs a power of two, and a block has at most 1024 threads");

// Blocks that cover n numbers. The division rounds up: n = 10 and blocks of 4 make 3 blocks, not 2.
constexpr int blocksFor(int n) {
  return n / BLOCK_SIZE + (n % BLOCK_SIZE != 0);
}

// Leaves the sum of in[0] … in[n-1] in out[0]. All three arrays are device memory.
//   out       room for blocksFor(n) floats, written: sums of blocks, at last the sum in element 0
//   scratch   room for blocksFor(blocksFor(n)) floats, written: more sums of blocks
//   in        (n), read and left as it is
// The launches may still be running when it returns.
void reductionArray(float* out, float* scratch, const float* in, int n);

// The same sum by the fastest kernel of this lab, with the same arrays; out needs room for one number only.
void reductionExpert(float* out, float* scratch, const float* in, int n);

// The CPU's sum (reduction_largearray_gold.cpp), in double. Plain C++; there is nothing to do there.
double hostSum(const std::vector<float>& data);

// Returns whether `device_sum` is the sum of data; `host_sum` is the CPU's sum. Prints "Test PASSED" or
// "Test FAILED" and both sums.
bool checkSum(float device_sum, double host_sum, const std::vector<float>& data);

#endif
