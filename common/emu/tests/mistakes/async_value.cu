// The host reads a value before the asynchronous copy that writes it has ended.
// gpu: exits 0
// finding: race
#include <cstdio>
__global__ void count(int* c) {
  atomicAdd(c, 1);
}
int main() {
  int *d, *h;
  cudaMalloc(&d, 4);
  cudaMallocHost(&h, 4);
  *h = -1;
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaMemsetAsync(d, 0, 4, s);
  count<<<64, 64, 0, s>>>(d);
  cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s);
#ifdef MENDED
  cudaStreamSynchronize(s);
#endif
  printf("%d\n", *h);
  cudaStreamDestroy(s);
  cudaFree(d);
  cudaFreeHost(h);
}
