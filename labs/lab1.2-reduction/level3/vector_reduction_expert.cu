// vector_reduction_expert.cu: the sum of one block as an expert writes it. Beyond the manual: level 3.
//
// The tree of scheme 2 has nine levels with a barrier each, at which all 16 warps of the block wait for the
// slowest. But from distance 16 on all working threads are in one warp, and a warp needs neither a barrier
// nor shared memory: a shuffle hands the register of one lane to another.
//
// So the order is reversed. Each warp adds up its own 32 numbers first, by five shuffles; then there are
// 16 sums, one for each warp, which go through shared memory after the only barrier; the first warp adds
// them, by shuffles again. With warps of 4 instead of 32, and 16 numbers:
//
//   registers   3 1 7 0 | 4 1 6 3 | 2 5 1 1 | 0 9 2 4     four warps
//   distance 2  10 1    | 10 4    | 3 6     | 2 13        lane 0 adds lane 2, lane 1 adds lane 3
//   distance 1  11      | 14      | 9       | 15          lane 0 adds lane 1
//   shared      11 14 9 15                                barrier
//   distance 2  20 29                                     in the first warp
//   distance 1  49
//
// Run it:  vector_reduction --scheme expert
#include <lab/todo.hpp>

#include "vector_reduction.h"

constexpr int warp_size = 32;
constexpr int warps = NUM_ELEMENTS / warp_size;  // of the block
constexpr unsigned all_lanes = 0xffffffffu;      // every lane of a warp takes part
static_assert(warps <= warp_size, "one warp adds up the sums of all");

// Sum over the lanes of a warp; lane 0 gets it. On each level a lane adds the value of the lane `distance`
// above it.
static __device__ float sumOfWarp(float sum) {
  // ---- part 9: the sum of a warp (two lines) --------------------------------------------------------------
  // Five levels, each with one shuffle: __shfl_down_sync(all_lanes, value, distance) gives a lane the value
  // of the lane `distance` above it.
  (void)all_lanes;  // until it is used: no warning
  LAB_TODO(9);
  // ---- end of part 9 --------------------------------------------------------------------------------------
  return sum;
}

__global__ void reductionExpert(float* data, int n) {
  __shared__ float sums[warps];              // one for each warp, instead of one for each thread
  const int lane = threadIdx.x % warp_size;  // [0, warp_size)
  const int warp = threadIdx.x / warp_size;  // [0, warps)
  float sum = 0;                             // of this thread's numbers, as in `load`
  for (int i = threadIdx.x; i < n; i += NUM_ELEMENTS) sum += data[i];
  // ---- part 9: from the sums of warps to the sum of the block (about seven lines) -------------------------
  // The sum of each warp goes to its place in sums; then one barrier; then the first warp adds those sums,
  // with zeros for lanes that have none, and its lane 0 stores the result in data[0].
  (void)&sums, (void)lane, (void)warp, (void)&sumOfWarp;  // until they are used: no warning
  LAB_TODO(9);
  // ---- end of part 9 --------------------------------------------------------------------------------------
}
