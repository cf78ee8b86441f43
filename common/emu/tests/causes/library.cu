// A library's kernel that never ends, since the function that the program passes to it loops forever: CUEMU_TIMEOUT
// stops it.
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

#include "lab/check.hpp"

struct Endless {
  volatile float* p;
  __host__ __device__ float operator()(float a, float) const {
    while (p[0] != 5) p[1] = p[1] + 1;
    return a;
  }
};

int main() {
  float* d_P = nullptr;
  CUDA_CHECK(cudaMalloc(&d_P, 64 * sizeof(float)));
  try {
    thrust::reduce(thrust::device, d_P, d_P + 64, 0.0f, Endless{d_P});
  } catch (const std::exception&) {
  }
  CUDA_CHECK(cudaDeviceSynchronize());
}
