#include "device.cuh"
#include "vecmath.h"
namespace vecmath {
__device__ float block_sum(float value) {
  __shared__ float partial[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
  if (lane == 0) partial[warp] = value;
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(&calls, 1u);
    for (int w = 1; w < (blockDim.x + 31) / 32; ++w) value += partial[w];
  }
  __syncthreads();
  return value;  // of thread 0
}
namespace {
__global__ void dot_kernel(int n, const float* x, const float* y, float* result) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += x[i] * y[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) *result = sum;
}
}  // namespace
cudaError_t dot(int n, const float* x, const float* y, float* result, cudaStream_t stream) {
  dot_kernel<<<1, 256, 0, stream>>>(n, x, y, result);
  return cudaGetLastError();
}
}  // namespace vecmath
