// Two blocks of eight threads print. The order between blocks is not fixed, so each block prints alone.
#include <cstdio>
__global__ void hello(unsigned which) {
  if (blockIdx.x == which) printf("block %d of %d, thread (%d,%d,%d) of (%d,%d,%d)\n", blockIdx.x, gridDim.x, threadIdx.x, threadIdx.y, threadIdx.z, blockDim.x, blockDim.y, blockDim.z);
}
int main() {
  for (unsigned which = 0; which < 2; ++which) {
    hello<<<2, dim3(1, 2, 4)>>>(which);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  }
}
