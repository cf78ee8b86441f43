// A matrix product: c = a · b, all n × n and row by row, one element for each thread.
#include "hunt.cuh"

constexpr int n = 30;    // rows and columns
constexpr int side = 8;  // of a block

__global__ void multiply(const int* a, const int* b, int* c) {
  const int col = blockIdx.x * side + threadIdx.x;
  const int row = blockIdx.y * side + threadIdx.y;
  if (row >= n || col >= n) return;
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

int main() {
  const std::vector<int> a = numbers(n * n), b = numbers(n * n, 50);
  int* const d_a = to_device(a);
  int* const d_b = to_device(b);
  int* const d_c = device_array<int>(n * n);
  const int blocks = (n + side - 1) / side;
  multiply<<<dim3(blocks, blocks), dim3(side, side)>>>(d_a, d_b, d_c);
  const std::vector<int> c = from_device(d_c, n * n);
  for (int* array : {d_a, d_b, d_c}) check(cudaFree(array));

  std::vector<int> expected(n * n, 0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) expected[i * n + j] += a[i * n + k] * b[k * n + j];
  return compare("c", c, expected);
}
