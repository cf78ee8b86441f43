// Races between the lanes of a warp.
#include "../pair.cuh"

// A reduction within a warp: without __syncwarp(), lanes need not run in step.
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

// Lanes exchange values through shared memory.
// pair: exchange_within_a_warp
// exact: race @write,@read values
__global__ void reverse(int* out, bool wrong) {
  __shared__ int values[32];
  values[threadIdx.x] = threadIdx.x;  // @write
  if (!wrong) __syncwarp();
  out[threadIdx.x] = values[31 - threadIdx.x];  // @read
}
PAIR(exchange_within_a_warp) {
  const Zeros<int> out(32);
  reverse<<<1, 32>>>(out, wrong);
}

// __syncwarp() orders one warp, not two.
// pair: barrier_of_one_warp
// exact: race @write,@read values
__global__ void reverse_two(int* out, bool wrong) {
  __shared__ int values[64];
  values[threadIdx.x] = threadIdx.x;  // @write
  if (wrong)
    __syncwarp();
  else
    __syncthreads();
  out[threadIdx.x] = values[63 - threadIdx.x];  // @read
}
PAIR(barrier_of_one_warp) {
  const Zeros<int> out(64);
  reverse_two<<<1, 64>>>(out, wrong);
}

// A shuffle orders the participating lanes.
// pair: shuffle_of_half_a_warp
// exact: race @write,@read values
__global__ void half_shuffle(int* out, bool wrong) {
  __shared__ int values[32];
  values[threadIdx.x] = threadIdx.x;  // @write
  const unsigned mask = wrong ? (threadIdx.x < 16 ? 0x0000ffffu : 0xffff0000u) : 0xffffffffu;
  const int sum = __shfl_xor_sync(mask, (int)threadIdx.x, 1);
  out[threadIdx.x] = values[31 - threadIdx.x] + sum;  // @read
}
PAIR(shuffle_of_half_a_warp) {
  const Zeros<int> out(32);
  half_shuffle<<<1, 32>>>(out, wrong);
}
