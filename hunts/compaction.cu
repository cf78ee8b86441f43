// Keeps the even elements, in any order, and counts them.
#include "hunt.cuh"

constexpr int n = 700;        // elements
constexpr int threads = 128;  // of each block

__global__ void keep_even(const int* in, int* kept, int* count) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n || in[i] % 2 != 0) return;
  const int place = atomicAdd(count, 1);
  kept[place] = in[i];
}

int main() {
  const std::vector<int> in = numbers(n);
  int* const d_in = to_device(in);
  int* const d_kept = to_device(std::vector<int>(n, 0));
  int* const d_count = device_array<int>(1);
  check(cudaMemset(d_count, 0, sizeof(int)));
  keep_even<<<(n + threads - 1) / threads, threads>>>(d_in, d_kept, d_count);
  const int count = from_device(d_count, 1)[0];
  const std::vector<int> kept = from_device(d_kept, n);
  for (int* array : {d_in, d_kept, d_count}) check(cudaFree(array));

  // How often each value is among the kept ones: their order is free.
  std::vector<int> values(100, 0), expected(100, 0);
  for (int k = 0; k < count && k < n; ++k) ++values[kept[k] % 100];
  for (const int value : in)
    if (value % 2 == 0) ++expected[value];
  return compare("values", values, expected);
}
