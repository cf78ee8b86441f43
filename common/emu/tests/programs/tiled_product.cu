// Product of two matrices, tile by tile, with two barriers for each tile; as a template over the tile's side.
#include <cstdio>
#include <vector>
template <int tile>
__global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float s[tile][tile], t[tile][tile + 1];
  const int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int m = 0; m < n; m += tile) {
    s[threadIdx.y][threadIdx.x] = a[row * n + m + threadIdx.x];
    t[threadIdx.y][threadIdx.x] = b[(m + threadIdx.y) * n + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < tile; ++k) sum += s[threadIdx.y][k] * t[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
int main() {
  const int n = 64;
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i) {
    a[i] = static_cast<float>(i * 7 % 5);
    b[i] = static_cast<float>(i * 3 % 7);
  }
  float *x, *y, *z;
  const size_t bytes = n * n * sizeof(float);
  cudaMalloc(&x, bytes);
  cudaMalloc(&y, bytes);
  cudaMalloc(&z, bytes);
  cudaMemcpy(x, a.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(y, b.data(), bytes, cudaMemcpyHostToDevice);
  for (int tile : {8, 16}) {
    dim3 threads(tile, tile), grid(n / tile, n / tile);
    if (tile == 8)
      product<8><<<grid, threads>>>(x, y, z, n);
    else
      product<16><<<grid, threads>>>(x, y, z, n);
    cudaMemcpy(c.data(), z, bytes, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        float sum = 0;
        for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
        wrong += sum != c[i * n + j];
      }
    printf("tile %d: %d wrong\n", tile, wrong);
  }
}
