#pragma once
#include <cuda_runtime.h>
namespace vecmath {
cudaError_t axpy(int n, float a, const float* x, float* y, cudaStream_t stream = nullptr);
cudaError_t dot(int n, const float* x, const float* y, float* result, cudaStream_t stream = nullptr);
}  // namespace vecmath
