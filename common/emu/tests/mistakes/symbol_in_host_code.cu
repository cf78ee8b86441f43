// The host assigns to a __device__ variable.
// gpu: warned
// gpu: prints device 0 host 42
// finding: device-pointer
#include <cstdio>
__device__ int limit;
__global__ void show(int* o) {
  *o = limit;
}
int main() {
#ifdef MENDED
  const int value = 42;
  cudaMemcpyToSymbol(limit, &value, sizeof value);
#else
  limit = 42;
#endif
  int *d, h = -1;
  cudaMalloc(&d, 4);
  show<<<1, 1>>>(d);
  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
#ifdef MENDED
  printf("device %d host %d\n", h, value);
#else
  printf("device %d host %d\n", h, limit);
#endif
  cudaFree(d);
}
