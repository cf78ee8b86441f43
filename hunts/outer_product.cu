// The outer product of two vectors: out[y * cols + x] = column[y] * row[x].
#include "hunt.cuh"

constexpr int rows = 24;
constexpr int cols = 50;
constexpr int side = 16;  // of a block

__global__ void outer(const int* column, const int* row, int* out) {
  const int x = blockIdx.x * side + threadIdx.x;
  const int y = blockIdx.y * side + threadIdx.y;
  if (x < cols && y < rows) out[y * cols + x] = column[y] * row[x];
}

int main() {
  const std::vector<int> column = numbers(rows), row = numbers(cols, 50);
  int* const d_column = to_device(column);
  int* const d_row = to_device(row);
  int* const d_out = device_array<int>(rows * cols);
  const dim3 grid((cols + side - 1) / side, (rows + side - 1) / side);
  outer<<<grid, dim3(side, side)>>>(d_column, d_row, d_out);
  const std::vector<int> out = from_device(d_out, rows * cols);
  for (int* array : {d_column, d_row, d_out}) check(cudaFree(array));

  std::vector<int> expected(rows * cols);
  for (int i = 0; i < rows * cols; ++i) expected[i] = column[i / cols] * row[i % cols];
  return compare("out", out, expected);
}
