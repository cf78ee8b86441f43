// A convolution of an image with 3 × 3 weights in constant memory; pixels outside count as 0.
#include "hunt.cuh"

constexpr int width = 45;
constexpr int height = 30;
constexpr int side = 8;  // of a block

__constant__ int weights[9];

__global__ void convolve(const int* in, int* out) {
  const int x = blockIdx.x * side + threadIdx.x;
  const int y = blockIdx.y * side + threadIdx.y;
  if (x >= width || y >= height) return;
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      const int px = x + dx, py = y + dy;
      if (px < 0 || px >= width || py < 0 || py >= height) continue;
      sum += weights[(dy + 1) * 3 + dx + 1] * in[py * width + px];
    }
  out[y * width + x] = sum;
}

int main() {
  const std::vector<int> in = numbers(width * height), own = numbers(9, 7);
  int* const d_in = to_device(in);
  int* const d_out = device_array<int>(width * height);
  check(cudaMemcpyToSymbol(weights, own.data(), 9 * sizeof(int)));
  const dim3 grid((width + side - 1) / side, (height + side - 1) / side);
  convolve<<<grid, dim3(side, side)>>>(d_in, d_out);
  const std::vector<int> out = from_device(d_out, width * height);
  check(cudaFree(d_in));
  check(cudaFree(d_out));

  std::vector<int> expected(width * height, 0);
  for (int i = 0; i < width * height; ++i)
    for (int w = 0; w < 9; ++w) {
      const int px = i % width + w % 3 - 1, py = i / width + w / 3 - 1;
      if (px >= 0 && px < width && py >= 0 && py < height) expected[i] += own[w] * in[py * width + px];
    }
  return compare("out", out, expected);
}
