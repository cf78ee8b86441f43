// minmatrix_expert.cu: the minima as fast as the memory delivers the numbers, from the array as it is in the
// file. Beyond the report: level 3.
//
//   values   (m, numbers) kept: number i of the array is one of position i % numbers
//
// Finding the position of each number would take a division for each number. But if a thread's numbers are a
// multiple of `numbers` apart, all of them have the same position, and the thread computes one remainder:
//
//   numbers = 9, stride = 18:    thread 0   0  18  36 …   always position 0
//                                thread 1   1  19  37 …   always position 1
//                                thread 9   9  27  45 …   position 0 again
//
// So there is nothing to transpose, neighbouring threads read neighbouring numbers, and one pass is enough:
//   1. The result begins as the first matrix, since that matrix takes part in the minimum.
//   2. Each thread loads 16 bytes at a time, four numbers at consecutive positions. Several loads are in
//      flight before the first value is used. Registers keep the minimum of each of the four.
//   3. Each block combines the minima of its threads by atomicMin, in one element of shared memory for each
//      position.
//   4. The blocks combine their minima in the same way, in the result itself.
//
// Run it:  grader lab1.3 --level 3
//          minmatrix --version expert
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include <algorithm>
#include <climits>

#include "minmatrix.h"

#ifndef EXPERT_THREADS
#define EXPERT_THREADS 512  // of a block: a multiple of 32, at most 1024
#endif
#ifndef EXPERT_LOADS
#define EXPERT_LOADS 4  // int4 loads that a thread has in flight
#endif

static constexpr int threads = EXPERT_THREADS;
static constexpr int loads = EXPERT_LOADS;
static constexpr int most_shared = 4096;  // positions that a block gathers in shared memory: 64 × 64

// The minima of the numbers that this thread reads.
//   smallest   becomes the minimum of each of the four numbers of an int4
//   values     (4 * n4 numbers), device memory, read
//   stride     between two int4 of a thread
static __device__ void minimaOfThread(int4& smallest, const int4* values, int n4, int thread, int stride) {
  // ---- part 6: the minima of a thread (about twelve lines) -----------------------------------------------
  // The thread takes every stride-th int4, from number `thread` on: `loads` of them before it compares the
  // first. Each component has its own minimum. A load beyond the end can be replaced by a harmless load:
  // which?
  (void)smallest, (void)values, (void)n4, (void)thread, (void)stride,
      (void)loads;  // until they are used: no warning
  LAB_TODO(6);
  // ---- end of part 6 -------------------------------------------------------------------------------------
}

// One pass over all numbers.
//   out       (numbers), device memory: holds one of the matrices, becomes the minimum
//   values    (count), device memory, 16-byte aligned as cudaMalloc gives it, read
//   numbers   of a matrix
//   stride    threads of the grid that take part: a multiple of `numbers`
static __global__ void __launch_bounds__(threads)
    minimumInOnePass(int* out, const int* values, int count, int numbers, int stride) {
  __shared__ int of_block[most_shared];
  const bool gather = numbers <= most_shared;  // else each thread updates the result directly
  if (gather) {
    for (int p = threadIdx.x; p < numbers; p += threads) of_block[p] = INT_MAX;
    __syncthreads();  // before any thread compares with them
  }
  const int thread =
      blockIdx.x * threads + threadIdx.x;  // [0, gridDim.x * threads), so perhaps stride or more
  int* const to = gather ? of_block : out;
  // ---- part 7: from threads to the result (about fourteen lines) -----------------------------------------
  //   a. The threads below `stride` find their four minima with minimaOfThread(), of count / 4 int4.
  //   b. Each of the four goes to its position's element of `to`, by atomicMin. Which position has component c of the
  //      first int4 of this thread?
  //   c. The last count % 4 numbers fill no int4: one thread for each of them.
  //   d. When the block gathered, its minima go to `out`, by atomicMin. What must have happened before?
  (void)out, (void)values, (void)count, (void)stride, (void)thread, (void)to,
      (void)&minimaOfThread;  // until then
  LAB_TODO(7);
  // ---- end of part 7 -------------------------------------------------------------------------------------
}

void minimumExpert(int* out, const int* values, int m, int numbers) {
  // As many blocks as run at the same time: each thread gets one long share, and all end together.
  static const int resident = [] {
    int device = 0, multiprocessors = 0, blocks = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, minimumInOnePass, threads, 0));
    return multiprocessors * blocks;
  }();
  const int count = m * numbers;
  const int useful = count / (4 * loads * threads);      // a block for less than one round does not pay
  const int needed = (numbers + threads - 1) / threads;  // the stride must be `numbers` at least
  const int blocks = std::max(needed, std::min(resident, useful));
  // ---- part 7: the stride (one line) ---------------------------------------------------------------------
  // How many threads of the grid take part? Take the largest number for which each thread always reads the
  // same positions.
  (void)needed;          // until it is used: no warning
  const int stride = 1;  // replace it
  LAB_TODO(7);
  // ---- end of part 7 -------------------------------------------------------------------------------------
  CUDA_CHECK(cudaMemcpyAsync(out, values, sizeof(int) * numbers, cudaMemcpyDeviceToDevice));
  minimumInOnePass<<<blocks, threads>>>(out, values, count, numbers, stride);
  CUDA_CHECK_LAUNCH();
}
