// The sum of an array with a grid of fixed size. Each thread adds its own sum to the result.
#include "hunt.cuh"

constexpr int n = 2000;      // elements
constexpr int threads = 64;  // of each block
constexpr int blocks = 4;

__global__ void sum_up(const int* in, int* result) {
  const int stride = gridDim.x * blockDim.x;
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) sum += in[i];
  atomicAdd(result, sum);
}

int main() {
  const std::vector<int> in = numbers(n);
  int* const d_in = to_device(in);
  int* const d_result = device_array<int>(1);
  check(cudaMemset(d_result, 0, sizeof(int)));
  sum_up<<<blocks, threads>>>(d_in, d_result);
  const std::vector<int> result = from_device(d_result, 1);
  check(cudaFree(d_in));
  check(cudaFree(d_result));

  int expected = 0;
  for (const int value : in) expected += value;
  return compare("result", result, {expected});
}
