// Rotates an array: out[i] = in[i + shift], and after the last element comes the first.
#include "hunt.cuh"

constexpr int n = 500;        // elements
constexpr int shift = 37;     // less than n
constexpr int threads = 128;  // of each block

__global__ void rotate(const int* in, int* out) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  const int from = i + shift;
  out[i] = in[from < n ? from : from - n];
}

int main() {
  const std::vector<int> in = numbers(n);
  int* const d_in = to_device(in);
  int* const d_out = device_array<int>(n);
  rotate<<<(n + threads - 1) / threads, threads>>>(d_in, d_out);
  const std::vector<int> out = from_device(d_out, n);
  check(cudaFree(d_in));
  check(cudaFree(d_out));

  std::vector<int> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = in[(i + shift) % n];
  return compare("out", out, expected);
}
