// The program has more constant memory than a GPU.
// gpu: refused
#include <cstdio>
#ifdef MENDED
__constant__ float c[2000];
#else
__constant__ float c[20000];
#endif
__global__ void k(float* o) {
  o[threadIdx.x] = c[threadIdx.x];
}
int main() {
  float* d;
  cudaMalloc(&d, 4096);
  k<<<1, 32>>>(d);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(d);
}
