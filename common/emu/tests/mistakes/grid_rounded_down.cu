// ceil() is applied to a division of integers, which has dropped the remainder.
// gpu: exits 0
// finding: uninitialised
#include <cmath>
#include <cstdio>
__global__ void twice(const int* a, int* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2 * a[i];
}
int main() {
  const int n = 500, t = 64;
  int h[n], *a, *b;
  for (int i = 0; i < n; ++i) h[i] = i;
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof h);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
#ifdef MENDED
  twice<<<(n + t - 1) / t, t>>>(a, b, n);
#else
  twice<<<ceil(n / t), t>>>(a, b, n);
#endif
  cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[1], h[499]);
  cudaFree(a);
  cudaFree(b);
}
