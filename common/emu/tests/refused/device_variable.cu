// Host code accesses device variables by cudaMemcpyToSymbol and similar functions.
#include <cuda_runtime.h>
__device__ int counter;
__device__ float table[4];
__constant__ float factor;
__managed__ int shared_by_both;
__global__ void kernel() { counter += static_cast<int>(table[0] * factor); }

int main() {
  const int zero = 0;
  cudaMemcpyToSymbol(counter, &zero, sizeof(int));
  int size = sizeof(table);
  shared_by_both = size;
  counter = 1;            // warning
  table[0] = 2;           // warning
  factor = 3;             // error
  size += counter;        // warning
  return counter + size;  // warning
}
