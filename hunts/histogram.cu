// Counts how often each value below `bins` occurs.
//
// A block counts in shared memory, and then adds its counts to those of all blocks.
#include "hunt.cuh"

constexpr int n = 2000;       // elements
constexpr int threads = 128;  // of each block
constexpr int bins = 16;

__global__ void histogram(const int* in, int* counts) {
  __shared__ int own[bins];
  const int t = threadIdx.x;
  const int i = blockIdx.x * threads + t;
  if (t < bins) own[t] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&own[in[i] % bins], 1);
  __syncthreads();
  if (t < bins) atomicAdd(&counts[t], own[t]);
}

int main() {
  const std::vector<int> in = numbers(n);
  int* const d_in = to_device(in);
  int* const d_counts = device_array<int>(bins);
  check(cudaMemset(d_counts, 0, bins * sizeof(int)));
  histogram<<<(n + threads - 1) / threads, threads>>>(d_in, d_counts);
  const std::vector<int> counts = from_device(d_counts, bins);
  check(cudaFree(d_in));
  check(cudaFree(d_counts));

  std::vector<int> expected(bins, 0);
  for (const int value : in) ++expected[value % bins];
  return compare("counts", counts, expected);
}
