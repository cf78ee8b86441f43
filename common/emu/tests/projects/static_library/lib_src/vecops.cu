#include "device.cuh"
#include "vecmath.h"
namespace vecmath {
__device__ unsigned int calls = 0;
namespace {
__global__ void axpy_kernel(int n, float a, const float* x, float* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = a * x[i] + y[i];
}
}  // namespace
cudaError_t axpy(int n, float a, const float* x, float* y, cudaStream_t stream) {
  axpy_kernel<<<8, 128, 0, stream>>>(n, a, x, y);
  return cudaGetLastError();
}
}  // namespace vecmath
