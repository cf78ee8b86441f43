// Races between the threads of a block.
#include "../pair.cuh"

// A tiled product: the tiles are read while they are filled.
// pair: missing_barrier
// exact: race @fill,@use tile
// exact: race @fill_other,@use other
constexpr int size = 16;
__global__ void product(const float* a, const float* b, float* c, int n, bool wrong) {
  __shared__ float tile[size][size], other[size][size];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * size + ty, col = blockIdx.x * size + tx;
  float sum = 0;
  for (int t = 0; t < n; t += size) {
    tile[ty][tx] = a[row * n + t + tx];     // @fill
    other[ty][tx] = b[(t + ty) * n + col];  // @fill_other
    if (!wrong) __syncthreads();
    for (int k = 0; k < size; ++k) sum += tile[ty][k] * other[k][tx];  // @use
    __syncthreads();
  }
  c[row * n + col] = sum;
}
PAIR(missing_barrier) {
  const int n = 32;
  const Zeros<float> a(n * n), b(n * n), c(n * n);
  product<<<dim3(n / size, n / size), dim3(size, size)>>>(a, b, c, n, wrong);
}
