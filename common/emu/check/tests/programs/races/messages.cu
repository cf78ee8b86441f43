// Message passing between blocks, with fences and atomic flags.
#include "../pair.cuh"

// The last block sums what all blocks wrote: only a fence before the counter makes that visible.
// pair: last_block
// exact: race @part,@sum data
__device__ unsigned finished;
__global__ void sum(int* partial, int* out, bool wrong) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = blockIdx.x;  // @part
    if (!wrong) __threadfence();
    is_last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0)
    for (unsigned b = 0; b < gridDim.x; ++b) *out += partial[b];  // @sum
}
PAIR(last_block) {
  const Zeros<int> partial(8), out(1);
  sum<<<8, 64>>>(partial, out, wrong);
}

// One block hands data to another through a flag.
// pair: message
// exact: race @data,@got data
__global__ void pass(int* data, int* flag, int* out, bool wrong) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      data[0] = 42;  // @data
      if (!wrong) __threadfence();
      atomicExch(flag, 1);
    }
  } else if (threadIdx.x == 0) {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    out[0] = data[0];  // @got
  }
}
PAIR(message) {
  int* data;
  cudaMalloc(&data, sizeof(int));
  const Zeros<int> flag(1), out(1);
  pass<<<2, 32>>>(data, flag, out, wrong);
  cudaDeviceSynchronize();
  cudaFree(data);
}
