#include "device.cuh"
#include "vecmath.h"
// Device code of the program that calls device code of the library.
__global__ void sum_of_squares(int n, const float* x, float* result) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += vecmath::square(x[i]);
  sum = vecmath::block_sum(sum);
  if (threadIdx.x == 0) *result = sum;
}
float launch_sum_of_squares(int n, const float* x) {
  float *result, host = -1;
  cudaMalloc(&result, sizeof(float));
  sum_of_squares<<<1, 64>>>(n, x, result);
  cudaMemcpy(&host, result, sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(result);
  return host;
}
unsigned int library_calls() {
  unsigned int n = 0;
  cudaMemcpyFromSymbol(&n, vecmath::calls, sizeof n);
  return n;
}
