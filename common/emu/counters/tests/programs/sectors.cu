// Sectors of 32 bytes that one warp's access to global memory touches, and the bytes that it requests.
#include <cstdio>

#define LOAD_KERNEL(NAME, INDEX)                      \
  __global__ void NAME(float* out, const float* in) { \
    const int t = threadIdx.x;                        \
    out[t] = in[INDEX];                               \
  }
//# neighbours global_loads=1 global_load_sectors=4 global_load_bytes=128 uncoalesced_loads=0
//# neighbours global_stores=1 global_store_sectors=4 uncoalesced_stores=0
LOAD_KERNEL(neighbours, t)
//# apart2 global_load_sectors=8 global_load_bytes=128 uncoalesced_loads=1
LOAD_KERNEL(apart2, 2 * t)
//# apart32 global_load_sectors=32 global_load_bytes=128 uncoalesced_loads=1
LOAD_KERNEL(apart32, 32 * t)
// Seven floats, 28 bytes, of the first sector, and one of the fifth.
//# offset1 global_load_sectors=5 global_load_bytes=128 uncoalesced_loads=1
LOAD_KERNEL(offset1, t + 1)
//# one_for_all global_load_sectors=1 global_load_bytes=4 uncoalesced_loads=0
LOAD_KERNEL(one_for_all, 7)
//# backwards global_load_sectors=4 global_load_bytes=128
LOAD_KERNEL(backwards, 31 - t)

// 20 threads with work: 80 bytes, three sectors, and one divergent branch.
//# part_of_a_warp global_loads=1 global_load_sectors=3 global_load_bytes=80 divergent_branches=1
__global__ void part_of_a_warp(float* out, const float* in, int n) {
  const int t = threadIdx.x;
  if (t < n) out[t] = in[t];
}

// The naive product of lab1.1, 32×32 with blocks of 8×8: a warp has 4 rows of 8 columns. 16 blocks × 2 warps
// × 32 turns = 1024 requests of each; of a 4 rows, so 4 sectors; of b 8 neighbours, so 1.
//# product global_loads=2048 global_load_sectors=5120 global_stores=32 global_store_sectors=128
//# product divergent_branches=0 blocks=16 warps=32
__global__ void product(float* c, const float* a, const float* b, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || column >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}
// With rows of 32 threads a warp reads one element of a and 32 neighbours of b.
//# product_wide global_loads=2048 global_load_sectors=5120 global_stores=32 global_store_sectors=128
__global__ void product_wide(float* c, const float* a, const float* b, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}
// Rows and columns exchanged: 32 rows of a, and all lanes write 32 rows.
//# product_turned global_loads=2048 global_load_sectors=33792 global_stores=32 global_store_sectors=1024
__global__ void product_turned(float* c, const float* a, const float* b, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

__constant__ float weights[32];
//# uniform_constant constant_loads=1 constant_turns=0 global_loads=0
__global__ void uniform_constant(float* out) {
  out[threadIdx.x] = weights[3];
}
//# constant_by_lane constant_loads=1 constant_turns=31
__global__ void constant_by_lane(float* out) {
  out[threadIdx.x] = weights[threadIdx.x];
}

__device__ float table[32];
//# device_variable global_loads=1 global_load_sectors=4
__global__ void device_variable(float* out) {
  out[threadIdx.x] = table[threadIdx.x];
}

int main() {
  float *in, *out, *c;
  cudaMalloc(&in, 4096);
  cudaMalloc(&out, 4096);
  cudaMalloc(&c, 4096);
  cudaMemset(in, 0, 4096);
  neighbours<<<1, 32>>>(out, in);
  apart2<<<1, 32>>>(out, in);
  apart32<<<1, 32>>>(out, in);
  offset1<<<1, 32>>>(out, in);
  one_for_all<<<1, 32>>>(out, in);
  backwards<<<1, 32>>>(out, in);
  part_of_a_warp<<<1, 32>>>(out, in, 20);
  product<<<dim3(4, 4), dim3(8, 8)>>>(c, in, in, 32);
  product_wide<<<dim3(1, 4), dim3(32, 8)>>>(c, in, in, 32);
  product_turned<<<dim3(1, 4), dim3(32, 8)>>>(c, in, in, 32);
  uniform_constant<<<1, 32>>>(out);
  constant_by_lane<<<1, 32>>>(out);
  device_variable<<<1, 32>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorName(error));
  cudaFree(in);
  cudaFree(out);
  cudaFree(c);
}
