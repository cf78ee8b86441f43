// Grid and block are exchanged in the launch.
// gpu: prints 1
// finding: launch
#include <cstdio>
__global__ void add(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] += a[i];
}
int main() {
  const int n = 1 << 20;
  static float h[n];
  float *a, *b;
  for (float& x : h) x = 1;
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof h);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(b, h, sizeof h, cudaMemcpyHostToDevice);
  int threads = 256, blocks = (n + threads - 1) / threads;
#ifdef MENDED
  add<<<blocks, threads>>>(a, b, n);
#else
  add<<<threads, blocks>>>(a, b, n);
#endif
  cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g\n", h[7]);
  cudaFree(a);
  cudaFree(b);
}
