// emucc: --extended-lambda -std=c++17
// Device lambdas and functors as kernel arguments.
#include <cstdio>
template <class F>
__global__ void for_each(int n, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f(i);
}
struct Fill {
  int* out;
  int value;
  __host__ __device__ void operator()(int i) const { out[i] = value + i; }
};
__host__ __device__ inline int square(int x) { return x * x; }
int main() {
  int *out, result[5];
  cudaMalloc(&out, sizeof result);
  auto show = [&] {
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    for (int value : result) printf("%d ", value);
    printf("\n");
  };
  const int base = 100;
  for_each<<<1, 8>>>(5, [=] __device__(int i) { out[i] = base + square(i); });
  show();
  for_each<<<2, 4>>>(5, [=] __device__(int i) mutable -> void { out[i] = square(i) + static_cast<int>(threadIdx.x); });
  show();
  for_each<<<5, 1>>>(5, Fill{out, 7});
  show();
}
