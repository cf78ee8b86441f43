// A matrix product whose threads keep a tile of the result and its operands in their own arrays. Device
// functions get these by pointers. Constants of the kernel are bounds and template arguments.
#include <cstdio>
#include <vector>

namespace tiles {

template <int height, int depth, int threads>
__device__ void fill(const float* from, int stride, float* to) {
  for (int at = threadIdx.x * 4; at < height * depth; at += threads * 4) {
    const float4 four = reinterpret_cast<const float4*>(&from[at / depth * stride + at % depth])[0];
    reinterpret_cast<float4*>(&to[at])[0] = four;
  }
}

template <int rows, int columns>
__device__ void multiply(const float* left, const float* right, float* sums) {
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) sums[r * columns + c] += left[r] * right[c];
}

/// Returns the largest element of a row, by a pointer that the kernel uses again after the barrier.
__device__ const float* largest(const float* values, int count) {
  const float* best = values;
  for (int i = 1; i < count; ++i)
    if (values[i] > *best) best = values + i;
  return best;
}

}  // namespace tiles

/// c = a b, matrices of n x n. A block computes side x side elements, a thread own_rows x own_columns.
template <const int side, const int depth, const int own_rows, const int own_columns>
__global__ void product(const float* a, const float* b, float* c, float* most, int n) {
  constexpr unsigned columns = side / own_columns;
  constexpr unsigned threads = side / own_rows * columns;
  __shared__ float left[side * depth], right[depth * side];
  a += blockIdx.y * side * n;
  b += blockIdx.x * side;
  const unsigned row = threadIdx.x / columns * own_rows, column = threadIdx.x % columns * own_columns;
  c += (blockIdx.y * side + row) * n + blockIdx.x * side + column;
  constexpr unsigned count = own_rows * own_columns;
  float sums[count] = {0.0f};
  float from_left[own_rows] = {}, from_right[own_columns] = {};
  for (int k = 0; k < n; k += depth) {
    tiles::fill<side, depth, threads>(a, n, left);
    tiles::fill<depth, side, threads>(b, n, right);
    __syncthreads();
    a += depth;
    b += depth * n;
    for (int i = 0; i < depth; ++i) {
      for (int r = 0; r < own_rows; ++r) from_left[r] = left[(row + r) * depth + i];
      for (int q = 0; q < own_columns; ++q) from_right[q] = right[i * side + column + q];
      tiles::multiply<own_rows, own_columns>(from_left, from_right, sums);
    }
    __syncthreads();
  }
  const float* const top = tiles::largest(sums, count);
  left[threadIdx.x] = *top;
  __syncthreads();
  for (int r = 0; r < own_rows; ++r)
    for (int q = 0; q < own_columns; ++q) c[r * n + q] = sums[r * own_columns + q];
  if (top == &sums[count - 1]) left[threadIdx.x] = -left[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0;
    for (unsigned t = 0; t < threads; ++t) total += left[t];
    most[blockIdx.y * gridDim.x + blockIdx.x] = total;
  }
}

int main() {
  constexpr int n = 64;
  std::vector<float> a(n * n), b(n * n), c(n * n), most(4);
  for (int i = 0; i < n * n; ++i) {
    a[i] = static_cast<float>(i * 7 % 11 - 5);
    b[i] = static_cast<float>(i * 5 % 13 - 6);
  }
  float *da, *db, *dc, *dm;
  cudaMalloc(&da, n * n * sizeof(float));
  cudaMalloc(&db, n * n * sizeof(float));
  cudaMalloc(&dc, n * n * sizeof(float));
  cudaMalloc(&dm, 4 * sizeof(float));
  cudaMemcpy(da, a.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  product<32, 8, 4, 8><<<dim3(2, 2), 32>>>(da, db, dc, dm, n);
  cudaMemcpy(c.data(), dc, n * n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(most.data(), dm, 4 * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      wrong += sum != c[i * n + j];
    }
  std::printf("%d wrong; largest %g %g %g %g\n", wrong, most[0], most[1], most[2], most[3]);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
