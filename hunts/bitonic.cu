// Sorts an array of one block by a bitonic network in shared memory.
#include "hunt.cuh"

constexpr int n = 128;  // elements, and threads of the block: a power of two

__global__ void sort(int* array) {
  __shared__ int keys[n];
  const int t = threadIdx.x;
  keys[t] = array[t];
  __syncthreads();
  for (int size = 2; size <= n; size *= 2)
    for (int distance = size / 2; distance > 0; distance /= 2) {
      const int partner = t ^ distance;
      const bool up = (t & size) == 0;  // ascending
      if (partner > t && (keys[t] > keys[partner]) == up) {
        const int kept = keys[t];
        keys[t] = keys[partner];
        keys[partner] = kept;
      }
      __syncthreads();
    }
  array[t] = keys[t];
}

int main() {
  std::vector<int> in = numbers(n, 10000);
  int* const d_array = to_device(in);
  sort<<<1, n>>>(d_array);
  const std::vector<int> out = from_device(d_array, n);
  check(cudaFree(d_array));

  for (int i = 0; i < n; ++i)  // insertion sort
    for (int k = i; k > 0 && in[k] < in[k - 1]; --k) std::swap(in[k], in[k - 1]);
  return compare("array", out, in);
}
