// emucc: -std=c++20
// Both sides may use values that the compiler computes.
#include <cstdio>

consteval int square(int x) {
  return x * x;
}

struct Sizes {
  static consteval int tile() { return square(4); }
};

__global__ void squares(int* out) {
  __shared__ int s[Sizes::tile()];
  s[threadIdx.x] = threadIdx.x * square(3);
  __syncthreads();
  out[threadIdx.x] = s[Sizes::tile() - 1 - threadIdx.x] + square(2);
}

int main() {
  int* out;
  cudaMallocManaged(&out, Sizes::tile() * sizeof(int));
  squares<<<1, Sizes::tile()>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < Sizes::tile(); i += square(2)) printf("%d ", out[i]);
  printf("%d\n", square(5));
}
