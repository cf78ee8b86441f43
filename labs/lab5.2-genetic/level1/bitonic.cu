// bitonic.cu: selection by a bitonic sort. The compared places do not depend on the keys, so each thread finds its
// pairs from its number (K. Batcher, "Sorting networks and their applications", AFIPS 1968).
//
// Runs of `size` keys become sorted, up and down in turn, for size = 2, 4, 8 … Two such neighbours, one up and one down,
// are a bitonic run of twice the size. It is sorted by comparing keys `stride` apart, for stride = size / 2 … 1:
//
//      size                   2        4             8
//      stride                 1        2    1        4    2    1
//      direction of key i     up if (i & size) == 0, else down
//
//      3 7 4 8 6 2 1 5   →   3 7 8 4 2 6 5 1   →   3 4 7 8 6 5 2 1   →   1 2 3 4 5 6 7 8
//
// A thread has one pair, whose keys are `stride` apart. TILE keys fit in one block's shared memory, so one launch does
// all strides below TILE:
//
//      sizes up to TILE      one launch for all of them
//      each larger size      a launch for each stride of TILE or more, and one for all smaller strides
//
// The number of keys is a power of two: the last set's key is followed by words greater than every key.
//
// Run it:  grader lab5.2
//          genetic 4096 16 10 --sort bitonic
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include "genetic.h"

// Number of the first key of a pair: pairs 0, 1, 2 … whose keys are `stride` apart.   stride = 2:  0 1   4 5   8 9 …
static __device__ int firstOfPair(int pair, int stride) {
  return 2 * stride * (pair / stride) + pair % stride;
}

// Exchanges the two keys if they are in the wrong order.
static __device__ void compareExchange(unsigned long long& a, unsigned long long& b, bool up) {
  if ((a > b) != up) return;
  const unsigned long long former = a;
  a = b;
  b = former;
}

// One stride of one size.   grid: a thread for each pair
__global__ void strideKernel(unsigned long long* keys, int size, int stride) {
  const int i = firstOfPair(blockIdx.x * blockDim.x + threadIdx.x, stride);
  compareExchange(keys[i], keys[i + stride], (i & size) == 0);
}

// All strides below TILE, of the sizes from `size` to `last_size`.   grid: a block for each TILE keys
__global__ void tileKernel(unsigned long long* keys, int size, int last_size) {
  __shared__ unsigned long long tile[TILE];
  const int t = threadIdx.x, base = blockIdx.x * TILE;
  tile[t] = keys[base + t];
  tile[t + BLOCK_SIZE] = keys[base + t + BLOCK_SIZE];
  for (; size <= last_size; size *= 2) {
    // ---- part 5: all strides of this size that lie in the tile (five lines) -----------------------------------------
    // For each stride, from the largest one that both the size and the tile allow down to 1: wait until all
    // threads have finished the previous stride; this thread has pair t, whose first key has the number
    // firstOfPair(t, stride) in the tile; the direction follows from its number among all keys, which begins
    // at base.
    (void)firstOfPair, (void)compareExchange, (void)t, (void)base, (void)size;  // until they are used: no warning
    LAB_TODO(5);
    // ---- end of part 5 ----------------------------------------------------------------------------------------------
  }
  __syncthreads();
  keys[base + t] = tile[t];
  keys[base + t + BLOCK_SIZE] = tile[t + BLOCK_SIZE];
}

void sortBitonic(Population& population, cudaStream_t stream) {
  const int count = roomForKeys(population.sets);
  const unsigned blocks = static_cast<unsigned>(count / TILE);
  tileKernel<<<blocks, BLOCK_SIZE, 0, stream>>>(population.keys, 2, TILE);
  CUDA_CHECK_LAUNCH();
  for (int size = 2 * TILE; size <= count; size *= 2) {
    // ---- part 5: the launches of one size (six lines) ---------------------------------------------------------------
    // Keys that are a stride of TILE or more apart lie in different tiles: one launch of strideKernel for each such stride, into
    // the stream of the population. Then comes one launch of tileKernel, for this size alone. `blocks` blocks
    // each.
    (void)strideKernel, (void)tileKernel, (void)blocks;  // until they are used: no warning
    LAB_TODO(5);
    // ---- end of part 5 ----------------------------------------------------------------------------------------------
  }
}
