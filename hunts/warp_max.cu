// The maximum of each section of `threads` elements: by shuffles in each warp, then in the first warp.
#include "hunt.cuh"

constexpr int threads = 256;  // of each block: at most 32 warps
constexpr int blocks = 3;
constexpr int n = blocks * threads;

__device__ int max_of_warp(int value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value = max(value, __shfl_xor_sync(0xffffffffu, value, distance));
  return value;
}

__global__ void block_max(const int* in, int* maxima) {
  __shared__ int of_warp[threads / 32];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  const int of_mine = max_of_warp(in[blockIdx.x * threads + t]);
  if (lane == 0) of_warp[warp] = of_mine;
  __syncthreads();
  if (warp != 0) return;
  const int of_all = max_of_warp(lane < threads / 32 ? of_warp[lane] : 0);
  if (lane == 0) maxima[blockIdx.x] = of_all;
}

int main() {
  const std::vector<int> in = numbers(n, 10000);
  int* const d_in = to_device(in);
  int* const d_out = device_array<int>(blocks);
  block_max<<<blocks, threads>>>(d_in, d_out);
  const std::vector<int> out = from_device(d_out, blocks);
  check(cudaFree(d_in));
  check(cudaFree(d_out));

  std::vector<int> expected(blocks, 0);
  for (int i = 0; i < n; ++i) expected[i / threads] = std::max(expected[i / threads], in[i]);
  return compare("out", out, expected);
}
