// Doubles an array, with each step of the host written out: allocate, copy, launch, copy back, free.
#include "hunt.cuh"

constexpr int n = 480;       // elements
constexpr int threads = 96;  // of each block, a divisor of n

__global__ void twice(const int* in, int* out) {
  const int i = blockIdx.x * threads + threadIdx.x;
  out[i] = 2 * in[i];
}

int main() {
  const std::vector<int> in = numbers(n);
  std::vector<int> out(n);
  int *d_in = nullptr, *d_out = nullptr;
  check(cudaMalloc(&d_in, n * sizeof(int)));
  check(cudaMalloc(&d_out, n * sizeof(int)));
  check(cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  twice<<<n / threads, threads>>>(d_in, d_out);
  check(cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost));
  check(cudaFree(d_in));
  check(cudaFree(d_out));

  std::vector<int> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = 2 * in[i];
  return compare("out", out, expected);
}
