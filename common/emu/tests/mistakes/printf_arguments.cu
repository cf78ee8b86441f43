// A kernel's printf has fewer arguments than its format needs.
// gpu: warned
#include <cstdio>
__global__ void hello() {
#ifdef MENDED
  printf("block %d thread %d\n", blockIdx.x, threadIdx.x);
#else
  printf("block %d thread %d\n", blockIdx.x);
#endif
}
int main() {
  hello<<<2, 1>>>();
  cudaDeviceSynchronize();
}
