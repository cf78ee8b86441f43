// A copy writes past the end of the host's array.
// gpu: ends by SIGABRT
// finding: copy
#include <cstdio>
#include <cstdlib>
__global__ void fill(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = i;
}
int main() {
  int n = 4096;
#ifdef MENDED
  float* h = (float*)malloc(n * sizeof(float));
#else
  float* h = (float*)malloc(n);
#endif
  float* d;
  cudaMalloc(&d, n * sizeof(float));
  float* other = (float*)malloc(64);
  other[0] = 42;
  fill<<<16, 256>>>(d, n);
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %g\n", h[10], other[0]);
  cudaFree(d);
  free(other);
  free(h);
}
