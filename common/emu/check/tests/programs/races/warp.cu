// Races between the lanes of a warp.
#include "../pair.cuh"

// A reduction within a warp: without __syncwarp() lanes need not run in step.
// pair: warp_reduction
// exact: race @step,@step values
__global__ void reduce(const int* in, int* out, bool wrong) {
  __shared__ int values[32];
  values[threadIdx.x] = in[threadIdx.x];
  __syncwarp();
  for (int step = 16; step > 0; step /= 2) {
    if (threadIdx.x < step) values[threadIdx.x] += values[threadIdx.x + step];  // @step
    if (!wrong) __syncwarp();
  }
  if (threadIdx.x == 0) *out = values[0];
}
PAIR(warp_reduction) {
  const Zeros<int> in(32), out(1);
  reduce<<<1, 32>>>(in, out, wrong);
}
