// Pointers that a kernel can't use.
#include <cstdlib>

#include "../pair.cuh"

// The host's pointer in place of the device's.
// pair: host_memory
// exact: host-pointer @write -
__global__ void fill(int* values) {
  values[threadIdx.x] = 1;  // @write
}
PAIR(host_memory) {
  int* const host = static_cast<int*>(std::calloc(64, sizeof(int)));
  const Zeros<int> device(64);
  fill<<<1, 64>>>(wrong ? host : device.data);
  cudaDeviceSynchronize();
  std::free(host);
}

// A float4 at an address that is no multiple of 16.
// pair: odd_address
// exact: misaligned @load -
__global__ void load(const float* in, float4* out, int first) {
  out[threadIdx.x] = reinterpret_cast<const float4*>(in + first)[threadIdx.x];  // @load
}
PAIR(odd_address) {
  const Zeros<float> in(256);
  const Zeros<float4> out(32);
  load<<<1, 32>>>(in, out, wrong ? 1 : 4);
}
