// out[i] is the mean of the elements in[i] … in[i + window - 1], rounded down; at the end the window is shorter.
#include "hunt.cuh"

constexpr int n = 400;  // elements
constexpr int window = 5;
constexpr int threads = 64;  // of each block

__global__ void moving_average(const int* in, int* out) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  const int end = min(i + window, n);
  int sum = 0;
  for (int k = i; k < end; ++k) sum += in[k];
  out[i] = sum / (end - i);
}

int main() {
  const std::vector<int> in = numbers(n);
  int* const d_in = to_device(in);
  int* const d_out = device_array<int>(n);
  moving_average<<<(n + threads - 1) / threads, threads>>>(d_in, d_out);
  const std::vector<int> out = from_device(d_out, n);
  check(cudaFree(d_in));
  check(cudaFree(d_out));

  std::vector<int> expected(n);
  for (int i = 0; i < n; ++i) {
    int sum = 0, terms = 0;
    for (int j = i; j < i + window && j < n; ++j, ++terms) sum += in[j];
    expected[i] = sum / terms;
  }
  return compare("out", out, expected);
}
