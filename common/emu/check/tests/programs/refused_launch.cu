// bug: launch 3 -
// 2,048 threads are more than a block may have, and nobody asks.
__global__ void nothing() {}
int main() {
#ifndef BUG
  nothing<<<1, 64>>>();
#else
  // refused
  nothing<<<1, 2048>>>();
#endif
  cudaDeviceSynchronize();
}
