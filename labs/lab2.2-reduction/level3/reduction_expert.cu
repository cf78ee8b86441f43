// reduction_expert.cu: the sum as fast as the memory can deliver the numbers. Beyond the manual: level 3.
//
// A sum reads 4 bytes for each addition, and a GPU adds a hundred times faster than it reads. So a perfect sum
// takes as long as one read of the array: bytes / bandwidth. Why does reductionArray take longer?
//
//   1. Every number goes through shared memory and nine barriers. Here each thread adds many numbers in a
//      register first; the tree runs once for each block, not once for each 256 numbers. (part 4)
//   2. With loads of 4 bytes too few bytes are in flight. Here a load takes 16 bytes (float4), and several
//      loads are in flight before the first value is used. (part 4)
//   3. The tree waits at barriers for the whole block. A warp needs no barrier: its lanes exchange the values
//      of registers by shuffles. (part 5)
//   4. Each launch costs microseconds. Here the last block to finish adds up the sums of all blocks, in the
//      same launch. (part 6)
//
// Run it:  grader lab2.2 --level 3
//          reduction_largearray 268435456 --version expert
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include <algorithm>
#include <cuda/atomic>

#include "reduction_largearray.h"

#ifndef EXPERT_THREADS
#define EXPERT_THREADS 1024  // of a block: a multiple of 32, at most 1024
#endif
#ifndef EXPERT_LOADS
#define EXPERT_LOADS 4  // float4 loads that a thread has in flight
#endif

namespace {

constexpr int warp_size = 32;
constexpr int threads = EXPERT_THREADS;
constexpr int warps = threads / warp_size;
constexpr int loads = EXPERT_LOADS;
constexpr int most_blocks = 8192;  // partial sums that fit
constexpr unsigned all_lanes = 0xffffffffu;

__device__ float partials[most_blocks];  // one sum for each block
__device__ unsigned finished_blocks;     // of this launch; 0 between launches

}  // namespace

// Sum of this thread's share of the array.
//   in   (n), device memory, 16-byte aligned as cudaMalloc gives it, read
static __device__ float sumOfThread(const float* in, int n) {
  const int thread = blockIdx.x * threads + threadIdx.x;  // [0, stride)
  const int stride = gridDim.x * threads;                 // threads of the grid
  float sum = 0;
  // ---- part 4: the sum of a thread (about fifteen lines) --------------------------------------------------
  // The thread takes every stride-th float4 of the array: `loads` of them before it adds the first, each into
  // a separate sum. Then it adds the remaining float4, and the numbers after the last float4.
  (void)in, (void)n, (void)thread, (void)stride, (void)loads;  // until they are used: no warning
  LAB_TODO(4);
  // ---- end of part 4 --------------------------------------------------------------------------------------
  return sum;
}

// Sum over the lanes of a warp; lane 0 gets it. On each level a lane adds the value of the lane `distance`
// above it.
static __device__ float sumOfWarp(float sum) {
  // ---- part 5: the sum of a warp (two lines) --------------------------------------------------------------
  // Five levels, each with one shuffle: __shfl_down_sync(all_lanes, value, distance) gives a lane the value
  // of the lane `distance` above it.
  (void)all_lanes;  // until it is used: no warning
  LAB_TODO(5);
  // ---- end of part 5 --------------------------------------------------------------------------------------
  return sum;
}

// Sum over the threads of a block; thread 0 gets it. One barrier instead of nine: each warp adds by itself,
// then the first warp adds the sums of the warps. Between two calls there must be a barrier: both use sums.
static __device__ float sumOfBlock(float sum) {
  __shared__ float sums[warps];
  const int lane = threadIdx.x % warp_size;  // [0, warp_size)
  const int warp = threadIdx.x / warp_size;  // [0, warps)
  // ---- part 5: the sum of a block (four lines) ------------------------------------------------------------
  // The sum of each warp, into shared memory; a barrier; then the first warp adds those sums.
  (void)&sums, (void)lane, (void)warp, (void)&sumOfWarp;  // until they are used: no warning
  LAB_TODO(5);
  // ---- end of part 5 --------------------------------------------------------------------------------------
  return sum;
}

// The whole sum in one launch.
//   out   (1), device memory, written
//   in    (n), device memory, read
static __global__ void __launch_bounds__(threads) sumInOnePass(float* out, const float* in, int n) {
  __shared__ bool last;  // is this the block that finishes last?
  const float sum = sumOfBlock(sumOfThread(in, n));
  // ---- part 6: the last block adds the sums of all (about twelve lines) -----------------------------------
  // The block's sum goes to partials[blockIdx.x]; then one thread counts the block in finished_blocks. The
  // block that comes last adds up all partial sums and stores the result. Which stores must be visible to a
  // block that sees the count (the memory order of a cuda::atomic_ref decides that)? Which thread sets the
  // count back to 0?
  (void)out, (void)sum, (void)&last, (void)&partials, (void)&finished_blocks;  // until then: no warning
  LAB_TODO(6);
  // ---- end of part 6 --------------------------------------------------------------------------------------
}

void reductionExpert(float* out, float*, const float* in, int n) {
  // As many blocks as can run at the same time: each thread gets one long share, and all end together.
  static const int resident = [] {
    int device = 0, multiprocessors = 0, blocks = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sumInOnePass, threads, 0));
    return std::min(multiprocessors * blocks, most_blocks);
  }();
  const int useful = std::max(1, n / (4 * threads));  // a block for less than one round does not pay
  sumInOnePass<<<std::min(resident, useful), threads>>>(out, in, n);
  CUDA_CHECK_LAUNCH();
}
