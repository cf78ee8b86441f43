// bug: host-pointer 5 -
// The host's pointer in place of the device's.
#include <cstdlib>
__global__ void fill(int* values) {
  values[threadIdx.x] = 1;
}
int main() {
  int* const host = static_cast<int*>(std::calloc(64, sizeof(int)));
  int* device;
  cudaMalloc(&device, 64 * sizeof(int));
#ifdef BUG
  fill<<<1, 64>>>(host);
#else
  fill<<<1, 64>>>(device);
#endif
  cudaDeviceSynchronize();
  cudaFree(device);
  std::free(host);
}
