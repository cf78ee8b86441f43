// An allocation that fails, whose result is ignored.
// gpu: prints 0
// finding: unchecked
#include <cstdio>
#include <vector>
__global__ void add(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] += 1;
}
int main() {
  std::vector<float> h(1000);
  float* d;
#ifdef MENDED
  cudaMalloc(&d, 4000);
#else
  cudaMalloc(&d, (size_t)1 << 42);
#endif
  cudaMemcpy(d, h.data(), 4000, cudaMemcpyHostToDevice);
  add<<<4, 256>>>(d, 1000);
  cudaMemcpy(h.data(), d, 4000, cudaMemcpyDeviceToHost);
  printf("%g\n", h[0]);
  cudaFree(d);
}
