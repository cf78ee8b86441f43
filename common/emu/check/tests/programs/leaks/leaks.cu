// Memory that is never given back.
#include "../pair.cuh"

// pair: never_freed
// exact: leak @made values
PAIR(never_freed) {
  int* values;
  cudaMalloc(&values, 64);  // @made
  if (!wrong) cudaFree(values);
}
