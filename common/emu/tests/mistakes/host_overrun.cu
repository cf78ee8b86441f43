// The host goes past its own array, and destroys the variables after it.
// gpu: prints no error
// finding: out-of-bounds
#include <cstdio>
int table[4] = {1, 2, 3, 4};
__global__ void fill(int* out) {
  *out = 7;
}
int main() {
#ifdef MENDED
  const volatile int n = 4;
#else
  const volatile int n = 64;
#endif
  for (int i = 0; i < n; ++i) table[i] = i;
  int *out, result = 0;
  cudaMalloc(&out, sizeof result);
  fill<<<1, 1>>>(out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  cudaFree(out);
}
