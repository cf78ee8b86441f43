// The Gray code of each number: neighbours differ in one bit.
#include "hunt.cuh"

constexpr int n = 600;        // numbers
constexpr int threads = 128;  // of each block

__global__ void gray_code(int* codes) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n) codes[i] = i ^ (i >> 1);
}

int main() {
  std::vector<int> codes(n);
  int* d_codes = nullptr;
  check(cudaMalloc(&d_codes, n * sizeof(int)));
  gray_code<<<(n + threads - 1) / threads, threads>>>(d_codes);
  check(cudaMemcpy(codes.data(), d_codes, n * sizeof(int), cudaMemcpyDeviceToHost));
  check(cudaFree(d_codes));

  std::vector<int> expected(n, 0);
  for (int i = 0; i < n; ++i)
    for (int bit = 0; bit < 20; ++bit) expected[i] += (((i >> bit) + 1) / 2 % 2) << bit;
  return compare("codes", codes, expected);
}
