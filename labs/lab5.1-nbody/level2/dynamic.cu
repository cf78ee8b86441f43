// dynamic.cu: the pairs by dynamic parallelism. One thread for each ball i, which launches a kernel of its own for the
// pairs (i, i+1) … (i, N-1), with one thread for each of them:
//
//     launchKernel        thread 0        thread 1        thread 2
//                             │               │               │
//     pairsOfKernel       (0,1) (0,2) …   (1,2) (1,3) …   (2,3) …          N - 1 launches in each step
//
// A launch from a kernel needs relocatable device code (nvcc -rdc=true). It goes into the stream cudaStreamFireAndForget:
// the launches of one block wait for each other in every other stream. A kernel can't wait for what it launches, but it
// counts as finished when all of that is; so whatever the host launches next, the advance of all balls, waits for it.
//
// By default 2,048 launches may wait; setLaunches() asks for as many as there are.
//
// Run it:  grader lab5.1
//          nbody 1000 100 --version dynamic
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include "collide.h"
#include "nbody.h"

static __device__ int launch_error;  // of the first launch from a kernel that failed

// Ball i with the balls after it.   grid: as many threads as these, or a few more
__global__ void pairsOfKernel(int i, DeviceBalls P, lab::Velocity* sums, int N, lab::BallStep step) {
  // ---- part 6: one pair of ball i (two lines) ----------------------------------------------------------------------
  // Thread 0 of block 0 has the pair (i, i + 1). Which threads have none?
  (void)i, (void)P, (void)sums, (void)N, (void)step;  // until they are used: no warning
  LAB_TODO(6);
  // ---- end of part 6 -----------------------------------------------------------------------------------------------
}

// grid: as many threads as balls, or a few more
__global__ void launchKernel(DeviceBalls P, lab::Velocity* sums, int N, lab::BallStep step) {
  // ---- part 6: the launch for ball i (three lines) -----------------------------------------------------------------
  // How many balls follow ball i? Launch pairsOfKernel with a thread for each of them, into cudaStreamFireAndForget.
  // Which balls have none after them?
  (void)pairsOfKernel, (void)P, (void)sums, (void)N, (void)step;  // until they are used: no warning
  LAB_TODO(6);
  // ---- end of part 6 -----------------------------------------------------------------------------------------------
  // The host sees no error of a launch from a kernel: the launching thread has to ask.
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) atomicCAS(&launch_error, 0, static_cast<int>(error));
}

void dynamicPairs(const DeviceBalls& P, lab::Velocity* sums, int N, const lab::BallStep& step) {
  launchKernel<<<blocksFor(N), BLOCK_SIZE>>>(P, sums, N, step);
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
