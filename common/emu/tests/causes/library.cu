// A kernel of a library that never ends, since the function that the program passes to it loops forever. CUEMU_TIMEOUT
// stops the kernel.
#include <cub/cub.cuh>

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
  char* d_storage = nullptr;
  CUDA_CHECK(cudaMalloc(&d_storage, 4096));
  std::size_t bytes = 4096;
  (void)cub::DeviceReduce::Reduce(d_storage, bytes, d_P, d_P + 63, 64, Endless{d_P}, 0.0f);
  CUDA_CHECK(cudaDeviceSynchronize());
}
