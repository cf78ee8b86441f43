// thrust::sort gets pointers to device memory without a policy.
// gpu: ends by SIGSEGV
// finding: device-pointer
#include <thrust/device_vector.h>
#ifdef MENDED
#include <thrust/execution_policy.h>
#endif
#include <thrust/sort.h>
#include <cstdio>
int main() {
  int h[100], *d;
  for (int i = 0; i < 100; ++i) h[i] = 100 - i;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
#ifdef MENDED
  thrust::sort(thrust::device, d, d + 100);
#else
  thrust::sort(d, d + 100);
#endif
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(d);
}
