// bug: copy 12 -
// A copy that is larger than its destination.
#include <vector>
int main() {
  const int n = 64;
  const std::vector<int> values(n, 1);
  int* device;
  cudaMalloc(&device, n * sizeof(int));
#ifdef BUG
  // elements of eight bytes
  const std::vector<double> wide(n, 1.0);
  cudaMemcpy(device, wide.data(), n * sizeof(double), cudaMemcpyHostToDevice);
#else
  cudaMemcpy(device, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
#endif
  cudaFree(device);
}
