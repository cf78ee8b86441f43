// A kernel reads memory from malloc() after free().
// gpu: prints no error
// finding: use-after-free
#include <cstdio>
__global__ void work(int* o) {
  int* p = (int*)malloc(64);
  p[0] = threadIdx.x;
#ifdef MENDED
  o[threadIdx.x] = p[0];
#endif
  free(p);
#ifndef MENDED
  o[threadIdx.x] = p[0];
#endif
}
int main() {
  int *d, h[32];
  cudaMalloc(&d, sizeof h);
  work<<<1, 32>>>(d);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[3]);
  cudaFree(d);
}
