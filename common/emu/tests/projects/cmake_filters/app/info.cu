#include <cstdio>

extern __device__ unsigned counter;
__device__ unsigned next();

__global__ void count(unsigned *largest) { atomicMax(largest, next()); }

int main() {
  int device;
  cudaDeviceProp properties;
  if (cudaGetDevice(&device) || cudaGetDeviceProperties(&properties, device)) return 1;
  std::printf("device %d: warps of %d\n", device, properties.warpSize);
  unsigned *largest, host = 0, total = 0;
  cudaMallocManaged(&largest, sizeof *largest);
  *largest = 0;
  count<<<10, 50>>>(largest);
  cudaDeviceSynchronize();
  host = *largest;
  cudaMemcpyFromSymbol(&total, counter, sizeof total);
  std::printf("%u numbers were drawn, the largest is %u\n", total, host);
  cudaFree(largest);
  return 0;
}
