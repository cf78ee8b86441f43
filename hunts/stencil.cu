// Sums of three neighbours: out[i] = in[i - 1] + in[i] + in[i + 1], and 0 beyond both ends.
//
// A block loads its elements into shared memory, and one more at each end: the halo.
#include "hunt.cuh"

constexpr int n = 1000;       // elements
constexpr int threads = 128;  // of each block

__global__ void stencil(const int* in, int* out) {
  __shared__ int tile[threads + 2];  // tile[0] and tile[threads + 1] are the halo
  const int t = threadIdx.x;
  const int i = blockIdx.x * threads + t;
  tile[t + 1] = i < n ? in[i] : 0;
  if (t == 0) tile[0] = i > 0 ? in[i - 1] : 0;
  if (t == threads - 1) tile[threads + 1] = i + 1 < n ? in[i + 1] : 0;
  __syncthreads();
  if (i < n) out[i] = tile[t] + tile[t + 1] + tile[t + 2];
}

int main() {
  const std::vector<int> in = numbers(n);
  int* const d_in = to_device(in);
  int* const d_out = device_array<int>(n);
  stencil<<<(n + threads - 1) / threads, threads>>>(d_in, d_out);
  const std::vector<int> out = from_device(d_out, n);
  check(cudaFree(d_in));
  check(cudaFree(d_out));

  std::vector<int> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = (i > 0 ? in[i - 1] : 0) + in[i] + (i + 1 < n ? in[i + 1] : 0);
  return compare("out", out, expected);
}
