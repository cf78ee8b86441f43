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
  // ---- part 5: the first key of a pair ------------------------------------------------------------------------------
  // In each run of 2 · stride keys the first half holds first keys.
  (void)pair, (void)stride;  // until they are used: no warning
  LAB_TODO(5);
  return 0;
  // ---- end of part 5 ------------------------------------------------------------------------------------------------
}

// Exchanges the two keys if they are in the wrong order.
static __device__ void compareExchange(unsigned long long& a, unsigned long long& b, bool up) {
  // ---- part 5: compare and exchange ---------------------------------------------------------------------------------
  // Afterwards the smaller key is in a if `up`, else in b.
  (void)a, (void)b, (void)up;  // until they are used: no warning
  LAB_TODO(5);
  // ---- end of part 5 ------------------------------------------------------------------------------------------------
}

// One stride of one size.   grid: a thread for each pair
__global__ void strideKernel(unsigned long long* keys, int size, int stride) {
  const int i = firstOfPair(blockIdx.x * blockDim.x + threadIdx.x, stride);
  compareExchange(keys[i], keys[i + stride], (i & size) == 0);
}

// All strides below TILE, of the sizes from `size` to `last_size`.   grid: a block for each TILE keys
__global__ void tileKernel(unsigned long long* keys, int size, int last_size) {
  // ---- part 5: strides of a tile ------------------------------------------------------------------------------------
  // Load two keys with each thread. Then for each size up to last_size, twice as large each time, all strides below TILE. The
  // direction follows from the number of a key among all keys, not in the tile. What must every thread wait for, and when?
  (void)keys, (void)size, (void)last_size, (void)firstOfPair, (void)compareExchange;  // until they are used: no warning
  LAB_TODO(5);
  // ---- end of part 5 ------------------------------------------------------------------------------------------------
}

void sortBitonic(Population& population, cudaStream_t stream) {
  const int count = roomForKeys(population.sets);
  const unsigned blocks = static_cast<unsigned>(count / TILE);
  tileKernel<<<blocks, BLOCK_SIZE, 0, stream>>>(population.keys, 2, TILE);
  CUDA_CHECK_LAUNCH();
  // ---- part 5: sizes beyond a tile ----------------------------------------------------------------------------------
  // For each size: a launch of strideKernel for each stride of TILE or more, and one of tileKernel for all that are smaller.
  (void)strideKernel, (void)tileKernel, (void)blocks, (void)count;  // until they are used: no warning
  LAB_TODO(5);
  // ---- end of part 5 ------------------------------------------------------------------------------------------------
}
