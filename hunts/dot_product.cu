// The dot product of two vectors. A block sums up its products by a tree, and adds its sum to the result.
#include "hunt.cuh"

constexpr int n = 900;        // elements
constexpr int threads = 128;  // of each block, a power of two

__global__ void dot(const int* a, const int* b, int* result) {
  __shared__ int part[threads];
  const int t = threadIdx.x;
  const int i = blockIdx.x * threads + t;
  part[t] = i < n ? a[i] * b[i] : 0;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) part[t] += part[t + half];
  }
  if (t == 0) atomicAdd(result, part[0]);
}

int main() {
  const std::vector<int> a = numbers(n), b = numbers(n, 50);
  int* const d_a = to_device(a);
  int* const d_b = to_device(b);
  int* const d_result = device_array<int>(1);
  check(cudaMemset(d_result, 0, sizeof(int)));
  dot<<<(n + threads - 1) / threads, threads>>>(d_a, d_b, d_result);
  const std::vector<int> result = from_device(d_result, 1);
  for (int* array : {d_a, d_b, d_result}) check(cudaFree(array));

  int expected = 0;
  for (int i = 0; i < n; ++i) expected += a[i] * b[i];
  return compare("result", result, {expected});
}
