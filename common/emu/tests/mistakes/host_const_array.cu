// A kernel reads a constant array of the host.
// gpu: refused
#include <cstdio>
#ifdef MENDED
__constant__ float weight[3] = {0.25f, 0.5f, 0.25f};
#else
const float weight[3] = {0.25f, 0.5f, 0.25f};
#endif
__global__ void blur(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= n - 1) return;
  float s = 0;
  for (int k = 0; k < 3; ++k) s += weight[k] * a[i + k - 1];
  b[i] = s;
}
int main() {
  float h[64], *a, *b;
  for (float& x : h) x = 1;
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof h);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(b, 0, sizeof h);
  blur<<<1, 64>>>(a, b, 64);
  cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g\n", h[3]);
  cudaFree(a);
  cudaFree(b);
}
