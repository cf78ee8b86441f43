// Loads and stores with hints, __restrict__, __launch_bounds__, unrolling, prefetch of constants: they have
// the same values as plain ones.
#include <cstdio>
template <int block, int least = 1>
__global__ void __launch_bounds__(block, least) hinted(const int* __restrict__ in, int* __restrict__ out,
                                                       const float4* __restrict__ wide, const double* d) {
  const int i = threadIdx.x;
  int sum = __ldg(in + i) + __ldg(&in[i]);
  sum += __ldcg(in + i) + __ldca(in + i) + __ldcs(in + i) + __ldlu(in + i) + __ldcv(in + i);
  const float4 v = __ldg(wide + i);
  sum += static_cast<int>(v.x + v.w) + static_cast<int>(__ldg(d + i));
  __stwb(out + i, sum);
  __stcg(out + 32 + i, sum + 1);
  __stcs(out + 64 + i, sum + 2);
  __stwt(out + 96 + i, sum + 3);
}
__global__ __launch_bounds__(64) void unrolled(const int* in, int* out, int n) {
  int sum = 0;
#pragma unroll 4
  for (int i = 0; i < n; ++i) sum += in[i];
#pragma unroll
  for (int i = 0; i < 4; ++i) sum += i;
  constexpr int width = 2;
#pragma unroll(width)
  for (int i = 0; i < 3 * width; i++) {
#pragma unroll 1
    for (int j = 0; j < 2; j++) sum += i * j;
  }
#pragma unroll
  while (sum > 100000) sum /= 2;
  for (int i = 0; i < 3; ++i) sum ^= i;
  *out = sum;
}
__device__ __forceinline__ int forced(int x) {
  return x + 1;
}
static __device__ __noinline__ int never(int x) {
  return x * 2;
}
__global__ void inlining(int* out) {
  *out = forced(never(20));
}
int main() {
  int *in, *out, host[128];
  float4* wide;
  double* d;
  cudaMallocManaged(&in, 32 * sizeof(int));
  cudaMallocManaged(&wide, 32 * sizeof(float4));
  cudaMallocManaged(&d, 32 * sizeof(double));
  cudaMalloc(&out, sizeof host);
  for (int i = 0; i < 32; ++i) {
    in[i] = i;
    wide[i] = make_float4(i, 0, 0, 2 * i);
    d[i] = -i;
  }
  hinted<32><<<1, 32>>>(in, out, wide, d);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d %d %d %d\n", host[3], host[35], host[67], host[127]);
  unrolled<<<1, 1>>>(in, out, 30);
  inlining<<<1, 1>>>(out + 1);
  cudaMemcpy(host, out, 8, cudaMemcpyDeviceToHost);
  printf("%d %d %s\n", host[0], host[1], cudaGetErrorName(cudaGetLastError()));
}
