// The host passes a __device__ array to a kernel as an argument.
// emucc: warned
// gpu: prints an illegal memory access was encountered
// finding: host-pointer
#include <cstdio>
__device__ float table[64];
__global__ void fill(float* t) {
  t[threadIdx.x] = threadIdx.x;
}
int main() {
  float h[64] = {};
#ifdef MENDED
  float* address;
  cudaGetSymbolAddress((void**)&address, table);
  fill<<<1, 64>>>(address);
#else
  fill<<<1, 64>>>(table);
#endif
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaMemcpyFromSymbol(h, table, sizeof h);
  printf("%g\n", h[5]);
}
