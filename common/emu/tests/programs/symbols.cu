// Variables of the device: constant and global memory, reached by their names.
#include <cstdio>
__constant__ float weights[4];
__constant__ int offset = 5;
__device__ int counter, table[3] = {1, 2, 3};
namespace deep {
__device__ double scale = 0.5;
}
struct Holder {
  __device__ static void count_up();
};
__device__ int held = 7;
__device__ void Holder::count_up() {
  held += 1;
}
__global__ void use(float* out) {
  out[threadIdx.x] = weights[threadIdx.x] * static_cast<float>(deep::scale) + offset;
  atomicAdd(&counter, table[threadIdx.x % 3]);
  if (threadIdx.x == 0) Holder::count_up();
}
int main() {
  const float host[4] = {2, 4, 6, 8};
  cudaMemcpyToSymbol(weights, host, sizeof host);
  const int three = 3;
  cudaMemcpyToSymbol(offset, &three, sizeof three);
  const double quarter = 0.25;
  cudaMemcpyToSymbol(deep::scale, &quarter, sizeof quarter);
  float *out, result[4];
  cudaMalloc(&out, sizeof result);
  use<<<1, 4>>>(out);
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  printf("%g %g %g %g\n", result[0], result[1], result[2], result[3]);
  int count = 0, seen = 0;
  cudaMemcpyFromSymbol(&count, counter, sizeof count);
  cudaMemcpyFromSymbol(&seen, held, sizeof seen);
  printf("%d %d\n", count, seen);
  void* address = nullptr;
  size_t bytes = 0;
  cudaGetSymbolAddress(&address, table);
  cudaGetSymbolSize(&bytes, table);
  printf("%s %zu\n", address != nullptr ? "found" : "missing", bytes);
}
