// Prefix sums: out[i] = in[0] + … + in[i], in one block.
//
// In each round a thread adds the element 1, then 2, 4, 8 … places to its left.
#include "hunt.cuh"

constexpr int n = 150;  // elements, and threads of the block

__global__ void scan(const int* in, int* out) {
  __shared__ int sums[n];
  const int t = threadIdx.x;
  sums[t] = in[t];
  __syncthreads();
  for (int left = 1; left < n; left *= 2) {
    const int other = t >= left ? sums[t - left] : 0;
    __syncthreads();  // all have read before any writes
    sums[t] += other;
    __syncthreads();  // all have written before any reads
  }
  out[t] = sums[t];
}

int main() {
  const std::vector<int> in = numbers(n);
  int* const d_in = to_device(in);
  int* const d_out = device_array<int>(n);
  scan<<<1, n>>>(d_in, d_out);
  const std::vector<int> out = from_device(d_out, n);
  check(cudaFree(d_in));
  check(cudaFree(d_out));

  std::vector<int> expected(n);
  for (int i = 0, sum = 0; i < n; ++i) expected[i] = sum += in[i];
  return compare("out", out, expected);
}
