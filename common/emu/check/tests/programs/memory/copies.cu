// Copies whose size or direction does not fit.
#include <vector>

#include "../pair.cuh"

// A copy that is larger than its destination: the elements are counted as doubles.
// pair: wrong_size
// exact: copy @copy -
PAIR(wrong_size) {
  const int n = 64;
  const std::vector<double> values(n, 1);
  const Zeros<int> device(n);
  const size_t bytes = n * (wrong ? sizeof(double) : sizeof(int));
  cudaMemcpy(device, values.data(), bytes, cudaMemcpyHostToDevice);  // @copy
}
