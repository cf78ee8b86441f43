// Transposes a matrix: out[x][y] = in[y][x], both row by row.
//
// A block copies a tile of 16 × 16 into shared memory, and writes it to the mirrored place.
#include "hunt.cuh"

constexpr int side = 16;  // of a tile, and of a block
constexpr int rows = 40;  // of in
constexpr int cols = 56;  // of in

__global__ void transpose(const int* in, int* out) {
  __shared__ int tile[side][side + 1];
  const int x = blockIdx.x * side + threadIdx.x, y = blockIdx.y * side + threadIdx.y;
  if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
  __syncthreads();
  const int to_x = blockIdx.y * side + threadIdx.x;  // column of out, [0, rows)
  const int to_y = blockIdx.x * side + threadIdx.y;  // row of out, [0, cols)
  if (to_x < rows && to_y < cols) out[to_y * rows + to_x] = tile[threadIdx.x][threadIdx.y];
}

int main() {
  const std::vector<int> in = numbers(rows * cols);
  int* const d_in = to_device(in);
  int* const d_out = device_array<int>(rows * cols);
  const dim3 grid((cols + side - 1) / side, (rows + side - 1) / side);
  transpose<<<grid, dim3(side, side)>>>(d_in, d_out);
  const std::vector<int> out = from_device(d_out, rows * cols);
  check(cudaFree(d_in));
  check(cudaFree(d_out));

  std::vector<int> expected(rows * cols);
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < cols; ++x) expected[x * rows + y] = in[y * cols + x];
  return compare("out", out, expected);
}
