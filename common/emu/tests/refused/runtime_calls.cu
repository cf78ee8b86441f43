// Only the host can call the runtime.
#include <cuda_runtime.h>
__global__ void kernel(int* x) {
  int* more = static_cast<int*>(malloc(4));
  free(more);
  delete new int;
  cudaMemset(x, 0, 4);       // error
  cudaStreamSynchronize(0);  // error
}
int main() { return cudaDeviceSynchronize(); }
