// Errors that nobody looked at.
#include "../pair.cuh"

__global__ void nothing() {}

// 2,048 threads are more than a block may have, and nobody asks.
// pair: refused_launch
// exact: launch @launch -
// contains: kernel nothing never ran
PAIR(refused_launch) {
  const int threads = wrong ? 2048 : 64;
  nothing<<<1, threads>>>();  // @launch
  cudaDeviceSynchronize();
}
