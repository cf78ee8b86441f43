// Constant memory may only be read.
#include "../pair.cuh"

__constant__ float weights[8];

// Through a pointer to a __constant__ variable, a kernel writes to the variable.
// pair: constant_written
// exact: constant-write @store weights
// hint: kernels only read __constant__ variables: write to a __device__ variable, or set it from the host
__global__ void set(float* to) {
  to[threadIdx.x] = 1;  // @store
}
PAIR(constant_written) {
  void* constant = nullptr;
  cudaGetSymbolAddress(&constant, weights);
  const Zeros<float> device(8);
  set<<<1, 8>>>(wrong ? static_cast<float*>(constant) : device.data);
  cudaDeviceSynchronize();
}

// The kernel reads more coefficients than there are.
// pair: constant_behind
// exact: out-of-bounds @load weights
__global__ void weigh(float* out, const float* from) {
  out[threadIdx.x] = from[threadIdx.x + 1];  // @load
}
PAIR(constant_behind) {
  void* constant = nullptr;
  cudaGetSymbolAddress(&constant, weights);
  const Zeros<float> out(8);
  weigh<<<1, wrong ? 8 : 7>>>(out, static_cast<const float*>(constant));
  cudaDeviceSynchronize();
}
