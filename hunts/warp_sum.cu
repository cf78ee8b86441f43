// Sums of 32 numbers each: out[w] is the sum of the elements of warp w, by shuffles.
#include "hunt.cuh"

constexpr int threads = 128;  // of each block
constexpr int blocks = 3;
constexpr int n = blocks * threads;

__global__ void warp_sum(const int* in, int* out) {
  const int i = blockIdx.x * threads + threadIdx.x;
  const int lane = threadIdx.x % 32;
  int sum = in[i];
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance);
  if (lane == 0) out[i / 32] = sum;
}

int main() {
  const std::vector<int> in = numbers(n);
  int* const d_in = to_device(in);
  int* const d_out = device_array<int>(n / 32);
  warp_sum<<<blocks, threads>>>(d_in, d_out);
  const std::vector<int> out = from_device(d_out, n / 32);
  check(cudaFree(d_in));
  check(cudaFree(d_out));

  std::vector<int> expected(n / 32, 0);
  for (int i = 0; i < n; ++i) expected[i / 32] += in[i];
  return compare("out", out, expected);
}
