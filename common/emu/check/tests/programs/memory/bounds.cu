// Accesses outside of allocations and arrays.
#include "../pair.cuh"

// More threads than elements.
// pair: behind_the_end
// exact: out-of-bounds @write out
__global__ void fill(float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;  // @write
}
PAIR(behind_the_end) {
  const int n = 100;
  float* out;
  cudaMalloc(&out, n * sizeof(float));
  fill<<<1, 104>>>(out, wrong ? 104 : n);
  cudaDeviceSynchronize();
  cudaFree(out);
}

// Behind the end of one shared array stands the next.
// pair: neighbour_array
// exact: out-of-bounds @read first
__global__ void shift(int* out, bool wrong) {
  __shared__ int first[32], second[32];
  first[threadIdx.x] = second[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const int next = threadIdx.x + 1;
  out[threadIdx.x] = first[wrong ? next : next % 32] + second[threadIdx.x];  // @read
}
PAIR(neighbour_array) {
  const Zeros<int> out(32);
  shift<<<1, 32>>>(out, wrong);
}
