// Memory that was freed.
#include "../pair.cuh"

__global__ void fill(int* values) {
  values[threadIdx.x] = 1;  // @write
}

// A kernel on memory that was freed.
// pair: used_after_free
// exact: use-after-free @use values
__global__ void fill_late(int* values) {
  values[threadIdx.x] = 1;  // @use
}
PAIR(used_after_free) {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
  if (wrong) cudaFree(values);
  fill_late<<<1, 64>>>(values);
  cudaDeviceSynchronize();
  if (!wrong) cudaFree(values);
}

// The same pointer twice.
// pair: freed_twice
// exact: bad-free @first,@second -
PAIR(freed_twice) {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
  fill<<<1, 64>>>(values);
  cudaFree(values);             // @first
  if (wrong) cudaFree(values);  // @second
}
