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
  const float4* const in4 = reinterpret_cast<const float4*>(in);  // (n / 4)
  const int n4 = n / 4;
  float sums[loads] = {};  // one for each load, so that no addition waits for another
  // The threads of a warp read neighbours: 32 × 16 bytes, four lines of 128. All loads of a round are issued
  // before the first addition needs one. A line is read once, so it need not stay in a cache (__ldcs: "streaming").
  float4 x[loads];
  int i = thread;
  for (; i + (loads - 1) * stride < n4; i += loads * stride) {
#pragma unroll
    for (int k = 0; k < loads; ++k) x[k] = __ldcs(in4 + i + k * stride);
#pragma unroll
    for (int k = 0; k < loads; ++k) sums[k] += (x[k].x + x[k].y) + (x[k].z + x[k].w);
  }
  // The last round: some of its loads lie beyond the end.
#pragma unroll
  for (int k = 0; k < loads; ++k) x[k] = i + k * stride < n4 ? in4[i + k * stride] : make_float4(0, 0, 0, 0);
#pragma unroll
  for (int k = 0; k < loads; ++k) sums[k] += (x[k].x + x[k].y) + (x[k].z + x[k].w);
  if (thread < n % 4) sum = in[4 * n4 + thread];  // up to three numbers that don't fill a float4
  for (int k = 0; k < loads; ++k) sum += sums[k];
  return sum;
}

// Sum over the lanes of a warp; lane 0 gets it. On each level a lane adds the value of the lane `distance`
// above it.
static __device__ float sumOfWarp(float sum) {
  for (int distance = warp_size / 2; distance >= 1; distance /= 2)
    sum += __shfl_down_sync(all_lanes, sum, distance);
  return sum;
}

// Sum over the threads of a block; thread 0 gets it. One barrier instead of nine: each warp adds by itself,
// then the first warp adds the sums of the warps. Between two calls there must be a barrier: both use sums.
static __device__ float sumOfBlock(float sum) {
  __shared__ float sums[warps];
  const int lane = threadIdx.x % warp_size;  // [0, warp_size)
  const int warp = threadIdx.x / warp_size;  // [0, warps)
  sum = sumOfWarp(sum);
  if (lane == 0) sums[warp] = sum;
  __syncthreads();
  if (warp == 0) sum = sumOfWarp(lane < warps ? sums[lane] : 0.0f);
  return sum;
}

// The whole sum in one launch.
//   out   (1), device memory, written
//   in    (n), device memory, read
static __global__ void __launch_bounds__(threads) sumInOnePass(float* out, const float* in, int n) {
  __shared__ bool last;  // is this the block that finishes last?
  const float sum = sumOfBlock(sumOfThread(in, n));
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = sum;
    // Release: a block that sees this count also sees this sum. Acquire: the last block sees the sums of all.
    const cuda::atomic_ref<unsigned, cuda::thread_scope_device> finished(finished_blocks);
    last = finished.fetch_add(1, cuda::std::memory_order_acq_rel) == gridDim.x - 1;
    if (last) finished.store(0, cuda::std::memory_order_relaxed);  // ready for the next launch
  }
  __syncthreads();
  if (!last) return;  // the same for all threads of the block, so no barrier below misses one

  float total = 0;
  for (int b = threadIdx.x; b < static_cast<int>(gridDim.x); b += threads) total += partials[b];
  total = sumOfBlock(total);
  if (threadIdx.x == 0) *out = total;
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
