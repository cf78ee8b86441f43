// The heap of the device is full, and malloc() returns null.
// gpu: prints an illegal memory access was encountered
// finding: null-pointer
#include <cstdio>
#include <cstdlib>
__global__ void k(int* o) {
  int* t = (int*)malloc(100000);
  t[0] = threadIdx.x;
  o[blockIdx.x * blockDim.x + threadIdx.x] = t[0];
  free(t);
}
__global__ void keep(int** o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef MENDED
  o[i] = (int*)malloc(1000);
  if (o[i] != nullptr) o[i][0] = i;
  free(o[i]);
#else
  o[i] = (int*)malloc(100000);
  o[i][0] = i;
#endif
}
int main() {
  int** d;
  cudaMalloc(&d, 256 * 8);
  keep<<<4, 64>>>(d);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(d);
}
