// A kernel throws.
// gpu: refused
#include <cstdio>
#include <stdexcept>
__global__ void k(int* o) {
#ifdef MENDED
  if (!o) __trap();
#else
  if (!o) throw std::runtime_error("null");
#endif
  *o = 1;
}
int main() {
  int* d;
  cudaMalloc(&d, 4);
  k<<<1, 1>>>(d);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(d);
}
