// out[i] is the smallest of in[4 * i] … in[4 * i + 3].
#include "hunt.cuh"

constexpr int n = 300;       // results
constexpr int threads = 64;  // of each block

__global__ void minimum_of_four(const int* in, int* out) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  int least = in[4 * i];
  for (int k = 1; k < 4; ++k) least = min(least, in[4 * i + k]);
  out[i] = least;
}

int main() {
  const std::vector<int> in = numbers(4 * n);
  int* const d_in = to_device(in);
  int* const d_out = device_array<int>(n);
  minimum_of_four<<<(n + threads - 1) / threads, threads>>>(d_in, d_out);
  const std::vector<int> out = from_device(d_out, n);
  check(cudaFree(d_in));
  check(cudaFree(d_out));

  std::vector<int> expected(n);
  for (int i = 0; i < n; ++i) {
    expected[i] = in[4 * i];
    for (int j = 4 * i; j < 4 * i + 4; ++j) expected[i] = std::min(expected[i], in[j]);
  }
  return compare("out", out, expected);
}
