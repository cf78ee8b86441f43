// The index of the smallest element of each section of `threads` elements; of equal ones the first.
#include "hunt.cuh"

constexpr int threads = 64;  // of each block
constexpr int blocks = 4;
constexpr int n = blocks * threads;

__global__ void argmin(const int* in, int* places) {
  __shared__ int value[threads], place[threads];
  const int t = threadIdx.x;
  const int i = blockIdx.x * threads + t;
  value[t] = in[i];
  place[t] = i;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (t < half) {
      const int other = t + half;
      const bool less = value[other] < value[t];
      const bool first = value[other] == value[t] && place[other] < place[t];
      if (less || first) {
        value[t] = value[other];
        place[t] = place[other];
      }
    }
    __syncthreads();
  }
  if (t == 0) places[blockIdx.x] = place[0];
}

int main() {
  const std::vector<int> in = numbers(n);
  int* const d_in = to_device(in);
  int* const d_out = device_array<int>(blocks);
  argmin<<<blocks, threads>>>(d_in, d_out);
  const std::vector<int> out = from_device(d_out, blocks);
  check(cudaFree(d_in));
  check(cudaFree(d_out));

  std::vector<int> expected(blocks);
  for (int b = 0; b < blocks; ++b) {
    expected[b] = b * threads;
    for (int i = b * threads; i < (b + 1) * threads; ++i)
      if (in[i] < in[expected[b]]) expected[b] = i;
  }
  return compare("out", out, expected);
}
