// The tiled product of lab2.1, 32×32, with tiles of 4, 8, 16 and 32:
// rows of one tile and columns of the other have no bank conflicts. Then the same
// with the second tile transposed: neighbouring lanes read words that are SIDE apart,
// so min(SIDE, 32) words of the warp share 32 / SIDE banks (SIDE < 32).
#include <cstdio>

template <int SIDE, bool TURNED>
__device__ void multiply(float* c, const float* a, const float* b, int n) {
  __shared__ float left[SIDE][SIDE], right[SIDE][SIDE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * SIDE + ty, column = blockIdx.x * SIDE + tx;
  float sum = 0;
  for (int t = 0; t < n; t += SIDE) {
    left[ty][tx] = a[row * n + t + tx];
    right[ty][tx] = b[(t + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < SIDE; ++k) sum += left[ty][k] * (TURNED ? right[tx][k] : right[k][tx]);
    __syncthreads();
  }
  c[row * n + column] = sum;
}
#define PRODUCT(NAME, SIDE, TURNED)                                       \
  __global__ void NAME(float* c, const float* a, const float* b, int n) { \
    multiply<SIDE, TURNED>(c, a, b, n);                                   \
  }
// (32 / SIDE)^2 blocks of ⌈SIDE^2 / 32⌉ warps, 32 steps of k with two loads, 2 barriers for each tile.
//# tiles4 shared_loads=4096 shared_load_conflicts=0 shared_store_conflicts=0 barriers=1024 warps=64
//# tiles4@gtx280 shared_load_conflicts=0 shared_store_conflicts=0
PRODUCT(tiles4, 4, false)
//# tiles8 shared_loads=2048 shared_load_conflicts=0 shared_store_conflicts=0 barriers=128
//# tiles8@gtx280 shared_load_conflicts=0 shared_store_conflicts=0
PRODUCT(tiles8, 8, false)
//# tiles16 shared_loads=2048 shared_load_conflicts=0 shared_store_conflicts=0 barriers=16
//# tiles16@gtx280 shared_load_conflicts=0 shared_store_conflicts=0
PRODUCT(tiles16, 16, false)
//# tiles32 shared_loads=2048 shared_load_conflicts=0 shared_store_conflicts=0 barriers=2
PRODUCT(tiles32, 32, false)
// 4 words, 4 apart: none. 8 words, 8 apart, in 4 banks: degree 2. 16 words in 2 banks: 8. 32 words in 1: 32.
//# turned4 shared_loads=4096 shared_load_conflicts=0
PRODUCT(turned4, 4, true)
//# turned8 shared_loads=2048 shared_load_conflicts=1024
PRODUCT(turned8, 8, true)
//# turned16 shared_loads=2048 shared_load_conflicts=7168
PRODUCT(turned16, 16, true)
//# turned32 shared_loads=2048 shared_load_conflicts=31744
PRODUCT(turned32, 32, true)

int main() {
  constexpr int n = 32;
  float* memory;
  cudaMalloc(&memory, 3 * n * n * sizeof(float));
  cudaMemset(memory, 0, 3 * n * n * sizeof(float));
  float *c = memory, *a = c + n * n, *b = a + n * n;
  tiles4<<<dim3(8, 8), dim3(4, 4)>>>(c, a, b, n);
  tiles8<<<dim3(4, 4), dim3(8, 8)>>>(c, a, b, n);
  tiles16<<<dim3(2, 2), dim3(16, 16)>>>(c, a, b, n);
#ifndef SMALL_BLOCKS
  tiles32<<<dim3(1, 1), dim3(32, 32)>>>(c, a, b, n);
  turned32<<<dim3(1, 1), dim3(32, 32)>>>(c, a, b, n);
#endif
  turned4<<<dim3(8, 8), dim3(4, 4)>>>(c, a, b, n);
  turned8<<<dim3(4, 4), dim3(8, 8)>>>(c, a, b, n);
  turned16<<<dim3(2, 2), dim3(16, 16)>>>(c, a, b, n);
  cudaDeviceSynchronize();
  std::printf("done\n");
  cudaFree(memory);
}
