// The host's own assertion ends the program after a launch that was refused.
// gpu: ends by SIGABRT
// finding: launch
#include <cassert>
__global__ void add(const int* a, int* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] + 1;
}
int main() {
  const int n = 2000;
  static int h[n];
  int *a, *b;
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof h);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
#ifdef MENDED
  add<<<2, n / 2>>>(a, b, n);  // more threads than a block may have
#else
  add<<<1, n>>>(a, b, n);  // more threads than a block may have
#endif
  cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) assert(h[i] == 1);
#ifdef MENDED
  cudaFree(a);
  cudaFree(b);
#endif
}
