// Each thread sorts a pair of elements, and the pairs overlap.
// gpu: exits 0
// finding: race
#include <cstdio>
__device__ void order(int& a, int& b) {
  if (a > b) {
    int t = a;
    a = b;
    b = t;
  }
}
__global__ void sort(int* g, int n) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = g[t];
  for (int stride = n / 2; stride > 0; stride /= 2) {
    __syncthreads();
#ifdef MENDED
    if (t / stride % 2 == 0) order(s[t], s[t + stride]);
#else
    if (t + stride < n) order(s[t], s[t + stride]);
#endif
  }
  __syncthreads();
  g[t] = s[t];
}
int main() {
  int h[128], *d;
  for (int i = 0; i < 128; ++i) h[i] = i * 37 % 128;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  sort<<<1, 128>>>(d, 128);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[0], h[1]);
  cudaFree(d);
}
