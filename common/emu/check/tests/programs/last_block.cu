// bug: race 8,16 partial
// The last block sums what all blocks wrote: only a fence before the counter makes that visible.
__device__ unsigned finished;
__global__ void sum(int* partial, int* out) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    // each block's own part
    partial[blockIdx.x] = blockIdx.x;
#ifndef BUG
    __threadfence();
#endif
    is_last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0)
    for (unsigned b = 0; b < gridDim.x; ++b) *out += partial[b];
}
int main() {
  int *partial, *out;
  cudaMalloc(&partial, 8 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  sum<<<8, 64>>>(partial, out);
  cudaDeviceSynchronize();
  cudaFree(partial);
  cudaFree(out);
}
