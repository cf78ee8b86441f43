// A matrix times a vector, y = m · x. A block has a row of the matrix, and its threads share the row's products.
#include "hunt.cuh"

constexpr int rows = 9;
constexpr int cols = 150;
constexpr int threads = 64;  // of each block, a power of two

__global__ void multiply(const int* m, const int* x, int* y) {
  __shared__ int part[threads];
  const int t = threadIdx.x, row = blockIdx.x;
  int sum = 0;
  for (int col = t; col < cols; col += threads) sum += m[row * cols + col] * x[col];
  part[t] = sum;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0) y[row] = part[0];
}

int main() {
  const std::vector<int> m = numbers(rows * cols), x = numbers(cols, 50);
  int* const d_m = to_device(m);
  int* const d_x = to_device(x);
  int* const d_y = device_array<int>(rows);
  multiply<<<rows, threads>>>(d_m, d_x, d_y);
  const std::vector<int> y = from_device(d_y, rows);
  for (int* array : {d_m, d_x, d_y}) check(cudaFree(array));

  std::vector<int> expected(rows, 0);
  for (int i = 0; i < rows * cols; ++i) expected[i / cols] += m[i] * x[i % cols];
  return compare("y", y, expected);
}
