// A triangular product: out[y * n + x] = a[y] * a[x] for x <= y, and 0 above the diagonal.
#include "hunt.cuh"

constexpr int n = 40;     // rows and columns
constexpr int side = 16;  // of a block

__global__ void triangle(const int* a, int* out) {
  const int x = blockIdx.x * side + threadIdx.x;
  const int y = blockIdx.y * side + threadIdx.y;
  if (x >= n || y >= n) return;
  if (x <= y)
    out[y * n + x] = a[y] * a[x];
  else
    out[y * n + x] = 0;
}

int main() {
  const std::vector<int> in = numbers(n);
  int* const d_in = to_device(in);
  int* const d_out = device_array<int>(n * n);
  const int blocks = (n + side - 1) / side;
  triangle<<<dim3(blocks, blocks), dim3(side, side)>>>(d_in, d_out);
  const std::vector<int> out = from_device(d_out, n * n);
  check(cudaFree(d_in));
  check(cudaFree(d_out));

  std::vector<int> expected(n * n, 0);
  for (int y = 0; y < n; ++y)
    for (int x = 0; x <= y; ++x) expected[y * n + x] = in[y] * in[x];
  return compare("out", out, expected);
}
