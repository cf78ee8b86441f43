// quick.cu: selection by a quicksort whose kernels launch kernels, as in the report. A kernel of one thread divides its
// keys at a pivot, and launches one kernel for the lower keys and one for the others:
//
//      keys                   5 2 9 1 7 3 8 6
//      divide at 5            3 2 1 │ 9 7 5 8 6
//      two launches           └─┬─┘   └───┬───┘          each into a stream of its own: neither waits for the other
//                             1 2 3   5 6 7 8 9
//
// A few keys, or keys at a great depth, are not worth a launch: they are sorted by selection. CUDA allows 24 levels of
// launches; a bad pivot in each of them must not lead further.
//
// A kernel can't wait for the kernels that it launches, but it counts as finished when all of them are; so the next
// launch of the host waits for the whole sort. The sort needs relocatable device code (nvcc -rdc=true).
//
// Run it:  grader lab5.2 --level 2
//          genetic 1024 16 10 --sort quick
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include "genetic.h"

constexpr int FEW = 32;         // keys that are sorted without a launch
constexpr int MOST_DEPTH = 16;  // of launches

static __device__ int launch_error;  // of the first launch from a kernel that failed

static __device__ void exchange(unsigned long long& a, unsigned long long& b) {
  const unsigned long long former = a;
  a = b;
  b = former;
}

// Selection sort of keys[first … last].
static __device__ void sortFew(unsigned long long* keys, int first, int last) {
  // ---- part 7: a few keys -------------------------------------------------------------------------------------------
  // Selection sort: the least of the remaining keys goes to their front.
  (void)keys, (void)first, (void)last, (void)exchange;  // until they are used: no warning
  LAB_TODO(7);
  // ---- end of part 7 ------------------------------------------------------------------------------------------------
}

// Divides keys[first … last] at the key in their middle: keys[first … returned] come before keys[returned + 1 … last].
static __device__ int divide(unsigned long long* keys, int first, int last) {
  // ---- part 7: divide -----------------------------------------------------------------------------------------------
  // Keys below the pivot, the one in the middle, go to the left of those above it. Return the last place of
  // the left ones: both sides must have at least one key.
  (void)keys, (void)first, (void)last, (void)exchange;  // until they are used: no warning
  LAB_TODO(7);
  return first;
  // ---- end of part 7 ------------------------------------------------------------------------------------------------
}

// One thread.
__global__ void quickKernel(unsigned long long* keys, int first, int last, int depth) {
  // ---- part 7: sort, or divide and launch ---------------------------------------------------------------------------
  // FEW keys, or those at MOST_DEPTH, are sorted here. Else divide() them, and launch quickKernel for either side, into
  // cudaStreamFireAndForget.
  (void)keys, (void)first, (void)last, (void)depth, (void)sortFew, (void)divide;  // until they are used: no warning
  LAB_TODO(7);
  // ---- end of part 7 ------------------------------------------------------------------------------------------------
  // The host sees no error of a launch from a kernel: the kernel itself has to read it.
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) atomicCAS(&launch_error, 0, static_cast<int>(error));
}

void sortQuick(Population& population, cudaStream_t stream) {
  quickKernel<<<1, 1, 0, stream>>>(population.keys, 0, population.sets - 1, 0);
  CUDA_CHECK_LAUNCH();
}

// How many launches from kernels may wait. Call it before the first kernel runs.
void setLaunches(int launches) {
  CUDA_CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, static_cast<std::size_t>(launches)));
}

int dynamicError() {
  int error = 0;
  CUDA_CHECK(cudaMemcpyFromSymbol(&error, launch_error, sizeof error));
  return error;
}
