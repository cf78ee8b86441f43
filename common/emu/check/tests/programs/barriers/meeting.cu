// Threads of a block that meet at different barriers.
#include "../pair.cuh"

// Each half of the block waits at a barrier of its own.
// pair: different_barriers
// exact: barrier @low,@high -
__global__ void halves(int* out, bool wrong) {
  if (!wrong)
    __syncthreads();
  else if (threadIdx.x < 32)
    __syncthreads();  // @low
  else
    __syncthreads();  // @high
  out[threadIdx.x] = threadIdx.x;
}
PAIR(different_barriers) {
  const Zeros<int> out(64);
  halves<<<1, 64>>>(out, wrong);
}
