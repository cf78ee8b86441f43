// sanitizers: not thread: blocks write the same value to one variable, which C++ calls a race
// __trap ends the kernel with cudaErrorLaunchFailure. The error is permanent.
#include <cstdio>
__device__ int before;
__global__ void trapping(unsigned when) {
  before = 1;
  if (threadIdx.x == when) __trap();
}
int main() {
  trapping<<<1, 32>>>(40);
  printf("no trap: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  trapping<<<2, 32>>>(3);
  const cudaError_t e = cudaDeviceSynchronize();
  printf("trap: %d %s\n", e, cudaGetErrorString(e));
  int host = 0;
  printf("copy: %s\n", cudaGetErrorName(cudaMemcpyFromSymbol(&host, before, sizeof host)));
  printf("peek: %s\n", cudaGetErrorName(cudaPeekAtLastError()));
  cudaStream_t stream;
  printf("stream: %s\n", cudaGetErrorName(cudaStreamCreate(&stream)));
}
