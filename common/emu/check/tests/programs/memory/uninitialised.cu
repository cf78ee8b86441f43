// Memory that is read before anything wrote it.
#include "../pair.cuh"

// cudaMalloc's memory holds anything.
// pair: never_written
// exact: uninitialised @read values
__global__ void increment(int* values) {
  values[threadIdx.x] += 1;  // @read
}
PAIR(never_written) {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
  if (!wrong) cudaMemset(values, 0, 64 * sizeof(int));
  increment<<<1, 64>>>(values);
  cudaDeviceSynchronize();
  cudaFree(values);
}

// Shared memory that only the first row of blocks fills.
// pair: shared_never_written
// exact: uninitialised @sum sums
__global__ void scale(float* out, bool wrong) {
  __shared__ float sums[32];
  if (!wrong || blockIdx.y == 0) sums[threadIdx.x] = 2.0f;
  __syncthreads();
  out[blockIdx.y * 32 + threadIdx.x] = sums[31 - threadIdx.x];  // @sum
}
PAIR(shared_never_written) {
  const Zeros<float> out(64);
  scale<<<dim3(1, 2), 32>>>(out, wrong);
}
