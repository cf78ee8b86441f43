// The program ends before its kernel has printed.
// gpu: prints nothing
// finding: lost-output
#include <cstdio>
__global__ void hello() {
  printf("hello from %d\n", threadIdx.x);
}
int main() {
  hello<<<1, 4>>>();
#ifdef MENDED
  cudaDeviceSynchronize();
#endif
  return 0;
}
