// Warps that work in step through volatile memory without __syncwarp(), as programs for GPUs before Volta do.
#include <cstdio>

template <unsigned BlockSize>
__device__ void warp_reduce(volatile int* s, unsigned t) {
  if (BlockSize >= 64) s[t] += s[t + 32];
  if (BlockSize >= 32) s[t] += s[t + 16];
  if (BlockSize >= 16) s[t] += s[t + 8];
  if (BlockSize >= 8) s[t] += s[t + 4];
  if (BlockSize >= 4) s[t] += s[t + 2];
  if (BlockSize >= 2) s[t] += s[t + 1];
}

template <unsigned BlockSize>
__global__ void reduce(const int* in, int* out) {
  extern __shared__ int shared[];
  const unsigned t = threadIdx.x, i = blockIdx.x * BlockSize * 2 + t;
  shared[t] = in[i] + in[i + BlockSize];
  __syncthreads();
  for (unsigned s = BlockSize / 2; s > 32; s >>= 1) {
    if (t < s) shared[t] += shared[t + s];
    __syncthreads();
  }
  if (t < 32) warp_reduce<BlockSize>(shared, t);
  if (t == 0) out[blockIdx.x] = shared[0];
}

__global__ void reduce_in_place(const int* in, int* out) {
  __shared__ int shared[64];
  const unsigned t = threadIdx.x;
  int sum = in[t];
  shared[t] = sum;
  __syncthreads();
  if (t < 32) {
    volatile int* s = shared;
    s[t] = sum = sum + s[t + 32];
    s[t] = sum = sum + s[t + 16];
    s[t] = sum = sum + s[t + 8];
    s[t] = sum = sum + s[t + 4];
    s[t] = sum = sum + s[t + 2];
    s[t] = sum = sum + s[t + 1];
  }
  if (t == 0) out[0] = shared[0];
}

// Reads lower lanes: each value must be read before it is overwritten.
__device__ int scan_warp(volatile int* s, int value, int size) {
  int at = 2 * threadIdx.x - (threadIdx.x & (size - 1));
  s[at] = 0;
  at += size;
  s[at] = value;
  for (int offset = 1; offset < size; offset <<= 1) s[at] += s[at - offset];
  return s[at];
}
__device__ int scan_lanes(volatile int* s, int at) {
  const int lane = at & 31;
  if (lane >= 1) s[at] = s[at - 1] + s[at];
  if (lane >= 2) s[at] = s[at - 2] + s[at];
  if (lane >= 4) s[at] = s[at - 4] + s[at];
  if (lane >= 8) s[at] = s[at - 8] + s[at];
  if (lane >= 16) s[at] = s[at - 16] + s[at];
  return s[at];
}
__global__ void scans(const int* in, int* out) {
  __shared__ volatile int first[2 * 64];
  __shared__ int second[64];
  const int t = threadIdx.x;
  second[t] = in[t];
  __syncthreads();
  out[t] = scan_warp(first, in[t], 32);
  out[64 + t] = scan_lanes(second, t);
}

int main() {
  int *in, *out, expected = 0, sum = 0, bad = 0;
  cudaMallocManaged(&in, 4096 * sizeof(int));
  cudaMallocManaged(&out, 128 * sizeof(int));
  for (int i = 0; i < 4096; ++i) expected += in[i] = i * 7 % 10;
  reduce<256><<<8, 256, 256 * sizeof(int)>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; ++i) sum += out[i];
  printf("%d %d\n", sum, expected);
  reduce_in_place<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0, total = 0; i < 64; ++i)
    if (total += in[i], i == 63) printf("%d %d\n", out[0], total);
  scans<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0, total = 0; i < 64; ++i) {
    total = (i % 32 == 0 ? 0 : total) + in[i];
    bad += out[i] != total;
    bad += out[64 + i] != total;
  }
  printf("%d wrong\n", bad);
  return 0;
}
