// A failed assertion ends the kernel and the context: every later call returns cudaErrorAssert.
#include <cassert>
#include <cstdio>
__device__ void check(int n) {
  assert(n >= 0 && "must not be negative");
}
__global__ void asserting(int n) {
  assert(threadIdx.x < 100);
  if (threadIdx.x == 3) check(n);
}
int main() {
  asserting<<<1, 8>>>(1);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  asserting<<<1, 8>>>(-1);
  printf("launch %s\n", cudaGetErrorName(cudaGetLastError()));
  const cudaError_t e = cudaDeviceSynchronize();
  printf("%d %s: %s\n", e, cudaGetErrorName(e), cudaGetErrorString(e));
  void* p = nullptr;
  printf("malloc %s\n", cudaGetErrorName(cudaMalloc(&p, 4)));
  printf("last %s\n", cudaGetErrorName(cudaGetLastError()));
  printf("again %s\n", cudaGetErrorName(cudaGetLastError()));
  asserting<<<1, 8>>>(1);
  printf("sticky %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  assert(p == nullptr);
}
