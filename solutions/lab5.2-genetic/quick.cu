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
  for (int i = first; i < last; ++i) {
    int least = i;
    for (int j = i + 1; j <= last; ++j)
      if (keys[j] < keys[least]) least = j;
    exchange(keys[i], keys[least]);
  }
}

// Divides keys[first … last] at the key in their middle: keys[first … returned] come before keys[returned + 1 … last].
static __device__ int divide(unsigned long long* keys, int first, int last) {
  const unsigned long long pivot = keys[first + (last - first) / 2];
  int i = first - 1, j = last + 1;
  for (;;) {  // C. A. R. Hoare's way: from both ends, exchange two keys that are on the wrong side
    do ++i;
    while (keys[i] < pivot);
    do --j;
    while (keys[j] > pivot);
    if (i >= j) return j;
    exchange(keys[i], keys[j]);
  }
}

// One thread.
__global__ void quickKernel(unsigned long long* keys, int first, int last, int depth) {
  if (last - first < FEW || depth == MOST_DEPTH) {
    sortFew(keys, first, last);
    return;
  }
  const int middle = divide(keys, first, last);
  quickKernel<<<1, 1, 0, cudaStreamFireAndForget>>>(keys, first, middle, depth + 1);
  quickKernel<<<1, 1, 0, cudaStreamFireAndForget>>>(keys, middle + 1, last, depth + 1);
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
