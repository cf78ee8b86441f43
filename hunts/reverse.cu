// Reverses an array of one block: out[i] = in[n - 1 - i].
//
// All threads copy the array into shared memory. Then each thread takes the element at the other end.
#include "hunt.cuh"

constexpr int n = 200;  // elements, and threads of the block

__global__ void reverse(const int* in, int* out) {
  __shared__ int tile[n];
  const int t = threadIdx.x;  // [0, n)
  tile[t] = in[t];
  __syncthreads();
  out[t] = tile[n - 1 - t];
}

int main() {
  const std::vector<int> in = numbers(n);
  int* const d_in = to_device(in);
  int* const d_out = device_array<int>(n);
  reverse<<<1, n>>>(d_in, d_out);
  const std::vector<int> out = from_device(d_out, n);
  check(cudaFree(d_in));
  check(cudaFree(d_out));

  std::vector<int> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = in[n - 1 - i];
  return compare("out", out, expected);
}
