// Pinned memory is freed by cudaFree, and device memory by cudaFreeHost.
// gpu: prints 1
// finding: bad-free
#include <cstdio>
__global__ void one(int* a) {
  a[threadIdx.x] = 1;
}
int main() {
  int *h, *d;
  cudaHostAlloc(&h, 128, cudaHostAllocDefault);
  cudaMalloc(&d, 128);
  one<<<1, 32>>>(d);
  cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost);
  printf("%d\n", h[3]);
#ifdef MENDED
  cudaFreeHost(h);
  cudaFree(d);
#else
  cudaFree(h);
  cudaFreeHost(d);
#endif
}
