// A copy to a symbol gets the address of the host's variable. It fails, but the error is ignored.
// gpu: prints 0
// finding: unchecked
#include <cstdio>
__constant__ float c[4];
__global__ void get(float* o) {
  o[threadIdx.x] = c[threadIdx.x];
}
int main() {
  float h[4] = {1, 2, 3, 4}, *d;
  cudaMalloc(&d, 16);
#ifdef MENDED
  cudaMemcpyToSymbol(c, h, sizeof h);
#else
  cudaMemcpyToSymbol(&c, h, sizeof h);
#endif
  get<<<1, 4>>>(d);
  cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost);
  printf("%g\n", h[1]);
  cudaFree(d);
}
