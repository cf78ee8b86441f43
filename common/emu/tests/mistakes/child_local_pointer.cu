// A parent gives its child the address of a local variable.
// nvcc: warned
// gpu: prints operation not supported on global/shared address space
// finding: wild-pointer
#include <cstdio>
__global__ void child(int* p) {
  *p = 5;
}
__global__ void parent(int* o) {
#ifdef MENDED
  child<<<1, 1>>>(o);
#else
  int v = 1;
  child<<<1, 1>>>(&v);
  *o = v;
#endif
}
int main() {
  int *d, h;
  cudaMalloc(&d, 4);
  parent<<<1, 1>>>(d);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
  cudaFree(d);
}
