// Sums up each section of an array: sums[b] is the sum of the `threads` elements of block b.
//
// A tree in shared memory: in each round the lower half of the threads adds an element of the upper half to its own.
#include "hunt.cuh"

constexpr int threads = 128;  // of each block, a power of two
constexpr int blocks = 6;
constexpr int n = blocks * threads;

__global__ void block_sum(const int* in, int* sums) {
  __shared__ int part[threads];
  const int t = threadIdx.x;
  part[t] = in[blockIdx.x * threads + t];
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

int main() {
  const std::vector<int> in = numbers(n);
  int* const d_in = to_device(in);
  int* const d_sums = device_array<int>(blocks);
  block_sum<<<blocks, threads>>>(d_in, d_sums);
  const std::vector<int> sums = from_device(d_sums, blocks);
  check(cudaFree(d_in));
  check(cudaFree(d_sums));

  std::vector<int> expected(blocks, 0);
  for (int i = 0; i < n; ++i) expected[i / threads] += in[i];
  return compare("sums", sums, expected);
}
