// bug: race 12,17 tile
// bug: race 13,17 other
// A tiled product: the tiles are read while they are filled.
#include <vector>
constexpr int size = 16;
__global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float tile[size][size], other[size][size];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * size + ty, col = blockIdx.x * size + tx;
  float sum = 0;
  for (int t = 0; t < n; t += size) {
    tile[ty][tx] = a[row * n + t + tx];
    other[ty][tx] = b[(t + ty) * n + col];
#ifndef BUG
    __syncthreads();
#endif
    for (int k = 0; k < size; ++k) sum += tile[ty][k] * other[k][tx];
    __syncthreads();
  }
  c[row * n + col] = sum;
}
int main() {
  const int n = 32;
  const std::vector<float> ones(n * n, 1.0f);
  float *a, *b, *c;
  cudaMalloc(&a, n * n * sizeof(float));
  cudaMalloc(&b, n * n * sizeof(float));
  cudaMalloc(&c, n * n * sizeof(float));
  cudaMemcpy(a, ones.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, ones.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  product<<<dim3(n / size, n / size), dim3(size, size)>>>(a, b, c, n);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
