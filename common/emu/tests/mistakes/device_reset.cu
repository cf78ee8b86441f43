// The device is reset before the last copy.
// gpu: prints 0
// finding: copy
#include <cstdio>
__global__ void one(int* a) {
  a[threadIdx.x] = 1;
}
int main() {
  int *d, h[32] = {};
  cudaMalloc(&d, sizeof h);
  one<<<1, 32>>>(d);
#ifndef MENDED
  cudaDeviceReset();
#endif
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
#ifdef MENDED
  printf("%d\n", h[3] - 1);
  cudaDeviceReset();
#else
  printf("%d\n", h[3]);
#endif
}
