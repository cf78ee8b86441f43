// A matrix product: c = a · b, all n × n and row by row, by tiles in shared memory.
#include "hunt.cuh"

constexpr int n = 30;    // rows and columns
constexpr int side = 8;  // of a tile, and of a block

__global__ void multiply(const int* a, const int* b, int* c) {
  __shared__ int tile_a[side][side], tile_b[side][side];
  const int x = threadIdx.x, y = threadIdx.y;
  const int col = blockIdx.x * side + x, row = blockIdx.y * side + y;
  int sum = 0;
  for (int first = 0; first < n; first += side) {
    tile_a[y][x] = row < n && first + x < n ? a[row * n + first + x] : 0;
    tile_b[y][x] = first + y < n && col < n ? b[(first + y) * n + col] : 0;
    __syncthreads();  // both tiles are whole
    for (int k = 0; k < side; ++k) sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();  // no thread needs them any more
  }
  if (row < n && col < n) c[row * n + col] = sum;
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
