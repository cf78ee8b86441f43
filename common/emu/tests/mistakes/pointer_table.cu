// The host writes pointers into a table that is on the device.
// gpu: ends by SIGSEGV
// finding: device-pointer
#include <cstdio>
#define R 4
#define C 16
__global__ void fill(float** m) {
  m[blockIdx.x][threadIdx.x] = blockIdx.x;
}
int main() {
  float** m;
#ifdef MENDED
  cudaMallocManaged(&m, R * sizeof(float*));
#else
  cudaMalloc(&m, R * sizeof(float*));
#endif
  for (int i = 0; i < R; ++i) cudaMalloc(&m[i], C * sizeof(float));
  fill<<<R, C>>>(m);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
#ifdef MENDED
  for (int i = 0; i < R; ++i) cudaFree(m[i]);
  cudaFree(m);
#endif
}
