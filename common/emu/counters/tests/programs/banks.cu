// Bank conflicts of one warp's load from shared memory. Expectations: kernel, device, counter = value; a
// value without a device is the default's, with 32 banks; gtx280 has 16 and serves half a warp at a time.
#include <cstdio>

// The lanes read elements that are STRIDE apart. With a stride of 2^k, 2^k lanes use the same bank.
#define STRIDE_KERNEL(NAME, STRIDE)        \
  __global__ void NAME(float* out) {       \
    __shared__ float s[32 * (STRIDE) + 1]; \
    const int t = threadIdx.x;             \
    s[t] = t;                              \
    __syncthreads();                       \
    out[t] = s[t * (STRIDE)];              \
  }

//# stride1 shared_load_wavefronts=1 shared_load_conflicts=0 shared_stores=1 shared_store_conflicts=0
//# stride1@gtx280 shared_load_wavefronts=2 shared_load_conflicts=0
STRIDE_KERNEL(stride1, 1)
//# stride2 shared_load_wavefronts=2 shared_load_conflicts=1
//# stride2@gtx280 shared_load_wavefronts=4 shared_load_conflicts=2
STRIDE_KERNEL(stride2, 2)
//# stride3 shared_load_wavefronts=1 shared_load_conflicts=0
//# stride3@gtx280 shared_load_conflicts=0
STRIDE_KERNEL(stride3, 3)
//# stride4 shared_load_wavefronts=4 shared_load_conflicts=3
//# stride4@gtx280 shared_load_conflicts=6
STRIDE_KERNEL(stride4, 4)
//# stride16 shared_load_wavefronts=16 shared_load_conflicts=15
//# stride16@gtx280 shared_load_conflicts=30
STRIDE_KERNEL(stride16, 16)
//# stride32 shared_load_wavefronts=32 shared_load_conflicts=31
//# stride32@gtx280 shared_load_conflicts=30
STRIDE_KERNEL(stride32, 32)
//# stride33 shared_load_wavefronts=1 shared_load_conflicts=0
STRIDE_KERNEL(stride33, 33)

// Lanes that read the same word share it: one word; each word for two lanes; backwards, a permutation.
#define INDEX_KERNEL(NAME, INDEX)    \
  __global__ void NAME(float* out) { \
    __shared__ float s[64];          \
    const int t = threadIdx.x;       \
    s[t] = t;                        \
    __syncthreads();                 \
    out[t] = s[INDEX];               \
  }
//# broadcast shared_loads=1 shared_load_wavefronts=1 shared_load_conflicts=0
//# broadcast@gtx280 shared_load_wavefronts=2 shared_load_conflicts=0
INDEX_KERNEL(broadcast, 5)
//# in_pairs shared_load_wavefronts=1 shared_load_conflicts=0
INDEX_KERNEL(in_pairs, t / 2)
//# backwards shared_load_wavefronts=1 shared_load_conflicts=0
INDEX_KERNEL(backwards, 31 - t)
// Elements 0 and 32 for the even and the odd lanes: two words of one bank.
//# two_words shared_load_wavefronts=2 shared_load_conflicts=1
INDEX_KERNEL(two_words, t % 2 * 32)

// A column of a square tile is a stride of its width; one more element in each row fixes it.
// 64×64 elements, blocks of 32×8: 4 blocks, 8 warps in each, 4 rows for each thread.
template <int WIDTH>
__device__ void turn(float* out, const float* in, int n, float (*tile)[WIDTH]) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
  for (int row = 0; row < 32; row += 8) tile[threadIdx.y + row][threadIdx.x] = in[(y + row) * n + x];
  __syncthreads();
  const int to_x = blockIdx.y * 32 + threadIdx.x;
  const int to_y = blockIdx.x * 32 + threadIdx.y;
  for (int row = 0; row < 32; row += 8) out[(to_y + row) * n + to_x] = tile[threadIdx.x][threadIdx.y + row];
}
//# transpose shared_loads=128 shared_load_conflicts=3968 shared_store_conflicts=0 barriers=4
//# transpose global_load_sectors=512 global_store_sectors=512 divergent_branches=0
__global__ void transpose(float* out, const float* in, int n) {
  __shared__ float tile[32][32];
  turn(out, in, n, tile);
}
//# transpose_padded shared_loads=128 shared_load_conflicts=0 shared_store_conflicts=0
__global__ void transpose_padded(float* out, const float* in, int n) {
  __shared__ float tile[32][33];
  turn(out, in, n, tile);
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 64 * 64 * sizeof(float));
  cudaMalloc(&out, 64 * 64 * sizeof(float));
  cudaMemset(in, 0, 64 * 64 * sizeof(float));
  stride1<<<1, 32>>>(out);
  stride2<<<1, 32>>>(out);
  stride3<<<1, 32>>>(out);
  stride4<<<1, 32>>>(out);
  stride16<<<1, 32>>>(out);
  stride32<<<1, 32>>>(out);
  stride33<<<1, 32>>>(out);
  broadcast<<<1, 32>>>(out);
  in_pairs<<<1, 32>>>(out);
  backwards<<<1, 32>>>(out);
  two_words<<<1, 32>>>(out);
  transpose<<<dim3(2, 2), dim3(32, 8)>>>(out, in, 64);
  transpose_padded<<<dim3(2, 2), dim3(32, 8)>>>(out, in, 64);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorName(error));
  cudaFree(in);
  cudaFree(out);
}
