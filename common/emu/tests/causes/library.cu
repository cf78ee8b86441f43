// A library's kernel that never ends, since the function that the program passes to it loops forever.
// CUEMU_TIMEOUT stops it.
#include "cuemu/parallel.hpp"
#include "lab/check.hpp"

struct Endless {
  volatile float* p;
  __host__ __device__ void operator()() {
    while (p[0] != 5) p[1] = p[1] + 1;
  }
};

int main() {
  float* d_P = nullptr;
  CUDA_CHECK(cudaMalloc(&d_P, 64 * sizeof(float)));
  CUDA_CHECK(cuemu::run_as_thread("library", nullptr, Endless{d_P}));
  CUDA_CHECK(cudaDeviceSynchronize());
}
