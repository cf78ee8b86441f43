// The number of steps of the Collatz sequence from each number down to 1, in memory that host and device share.
#include "hunt.cuh"

constexpr int n = 200;       // numbers: 1 to n
constexpr int threads = 64;  // of each block

__global__ void collatz(int* steps) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  int count = 0;
  for (int value = i + 1; value != 1; ++count) value = value % 2 == 0 ? value / 2 : 3 * value + 1;
  steps[i] = count;
}

int main() {
  int* steps = nullptr;
  check(cudaMallocManaged(&steps, n * sizeof(int)));
  collatz<<<(n + threads - 1) / threads, threads>>>(steps);
  check(cudaDeviceSynchronize());
  const std::vector<int> out(steps, steps + n);
  check(cudaFree(steps));

  std::vector<int> expected(n, 0);
  for (int i = 0; i < n; ++i)
    for (int value = i + 1; value != 1; ++expected[i]) value = value % 2 == 0 ? value / 2 : 3 * value + 1;
  return compare("steps", out, expected);
}
