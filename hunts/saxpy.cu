// y[i] = factor * x[i] + y[i], with a grid of fixed size: each thread takes one element of each stretch.
#include "hunt.cuh"

constexpr int n = 1000;      // elements
constexpr int threads = 64;  // of each block
constexpr int blocks = 3;
constexpr int factor = 3;

__global__ void saxpy(const int* x, int* y) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int stride = gridDim.x * blockDim.x;
  for (int i = first; i < n; i += stride) y[i] = factor * x[i] + y[i];
}

int main() {
  const std::vector<int> x = numbers(n), y = numbers(n, 50);
  int* const d_x = to_device(x);
  int* const d_y = to_device(y);
  saxpy<<<blocks, threads>>>(d_x, d_y);
  const std::vector<int> out = from_device(d_y, n);
  check(cudaFree(d_x));
  check(cudaFree(d_y));

  std::vector<int> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = factor * x[i] + y[i];
  return compare("y", out, expected);
}
