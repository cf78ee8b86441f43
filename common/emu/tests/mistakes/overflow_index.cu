// The size is computed with size_t, but the index is an int.
// gpu: prints an illegal memory access was encountered
// finding: out-of-bounds
#include <cstdio>
__global__ void diagonal(char* m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef MENDED
  if (i < n) m[static_cast<size_t>(i) * n + i] = 1;
#else
  if (i < n) m[i * n + i] = 1;
#endif
}
int main() {
  int n = 50000;
  char* d;
  printf("%s\n", cudaGetErrorString(cudaMalloc(&d, (size_t)n * n)));
  diagonal<<<(n + 255) / 256, 256>>>(d, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(d);
}
