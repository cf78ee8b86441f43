// emucc: -DN=64 -DM=3 -DK=5 -DB=32 -forward-unknown-to-host-compiler -fno-strict-aliasing
// Sizes as macros of the command line, and macros that a file can test.
#define X 7
#define A 2
#include <cooperative_groups.h>
#include <cuda_fp16.h>

#include <cstdio>
#if !defined(__CUDACC__) || !defined(__NVCC__) || __CUDACC_VER_MAJOR__ < 11 || CUDART_VERSION < 11000
#error "not the macros of nvcc"
#endif
#ifdef __CUDA_ARCH__
#if __CUDA_ARCH__ < 500
#error "too old"
#endif
#endif
__global__ void k(float* out) {
  __shared__ float tile[N / B][B];
  const int i = threadIdx.x;
  tile[i / B][i % B] = i * M;
  cooperative_groups::this_thread_block().sync();
  out[i] = tile[(N - 1 - i) / B][(N - 1 - i) % B] + K + __half2float(__float2half(X * A));
#if __CUDA_ARCH__ >= 600
  out[i] += 1;
#endif
}
int main() {
  float *out, host[N];
  cudaMalloc(&out, sizeof host);
  k<<<1, N>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g %g %d\n", host[0], host[N - 1], N * M * K * X * A);
}
