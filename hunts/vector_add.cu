// Adds two vectors: sum[i] = a[i] + b[i], one element for each thread.
#include "hunt.cuh"

constexpr int n = 1000;       // elements
constexpr int threads = 256;  // of each block

__global__ void add(const int* a, const int* b, int* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

int main() {
  const std::vector<int> a = numbers(n), b = numbers(n, 50);
  int* const d_a = to_device(a);
  int* const d_b = to_device(b);
  int* const d_sum = device_array<int>(n);
  const int blocks = (n + threads - 1) / threads;  // the last one may have too many threads
  add<<<blocks, threads>>>(d_a, d_b, d_sum);
  const std::vector<int> sum = from_device(d_sum, n);
  check(cudaFree(d_a));
  check(cudaFree(d_b));
  check(cudaFree(d_sum));

  std::vector<int> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = a[i] + b[i];
  return compare("sum", sum, expected);
}
