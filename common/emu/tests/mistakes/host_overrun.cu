// The host writes past the end of its array, and destroys the variables after it.
// gpu: ends by SEGV
// finding: out-of-bounds
// plain: prints no error
// because: which variables lie after the array is the compiler's choice; nvcc's own records do
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
