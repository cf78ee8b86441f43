// A kernel reads a string of the host.
// gpu: prints an illegal memory access was encountered
// finding: host-pointer
#include <cstdio>
__global__ void len(const char* s, int* o) {
  int n = 0;
  while (s[n]) ++n;
  *o = n;
}
int main() {
  int *d, h = -1;
  cudaMalloc(&d, 4);
#ifdef MENDED
  char* text;
  cudaMalloc(&text, 6);
  cudaMemcpy(text, "hello", 6, cudaMemcpyHostToDevice);
  len<<<1, 1>>>(text, d);
  cudaFree(text);
#else
  len<<<1, 1>>>("hello", d);
#endif
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
  cudaFree(d);
}
