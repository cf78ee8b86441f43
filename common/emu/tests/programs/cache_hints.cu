// Kernels as in language models: accesses of sixteen bytes, loads and stores with cache hints, a block's sums
// by a function that is a template's argument, and a softmax that begins with minus infinity.
#include <cuda_bf16.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

using Short = __nv_bfloat16;

/// The values that fit in sixteen bytes.
template <class T>
struct alignas(16) Pack {
  static constexpr int size = 16 / sizeof(T);
  T value[size];
  Pack() = default;
  __device__ explicit Pack(int4 bits) { memcpy(value, &bits, sizeof bits); }
  __device__ int4 bits() const {
    int4 all;
    memcpy(&all, value, sizeof all);
    return all;
  }
  __device__ T& operator[](int i) { return value[i]; }
  __device__ const T& operator[](int i) const { return value[i]; }
};

template <class T>
__device__ Pack<T> load_once(const T* from) {
  return Pack<T>(__ldcs(reinterpret_cast<const int4*>(from)));
}
template <class T>
__device__ void store_once(T* to, const Pack<T>& value) {
  __stcs(reinterpret_cast<int4*>(to), value.bits());
}

__device__ float sum_of_warp(float x) {
  for (int d = 16; d > 0; d /= 2) x += __shfl_xor_sync(0xffffffffu, x, d);
  return x;
}
__device__ float largest_of_warp(float x) {
  for (int d = 16; d > 0; d /= 2) x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, d));
  return x;
}

template <float (*of_warp)(float)>
__device__ float of_block(float x, float otherwise) {
  __shared__ float parts[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const float mine = of_warp(x);
  if (lane == 0) parts[warp] = mine;
  __syncthreads();
  const float part = lane < static_cast<int>(blockDim.x) / 32 ? parts[lane] : otherwise;
  const float all = of_warp(part);
  __syncthreads();
  return all;
}

/// Each block replaces a row of n numbers by e^x, divided by the row's sum.
__global__ void softmax(const Short* in, float* out, int n) {
  const Short* const row = in + blockIdx.x * n;
  float largest = -INFINITY, sum = 0;
  for (int i = threadIdx.x * Pack<Short>::size; i < n; i += blockDim.x * Pack<Short>::size) {
    const Pack<Short> some = load_once(row + i);
    for (int k = 0; k < some.size; ++k) {
      const float x = __bfloat162float(some[k]), before = largest;
      largest = fmaxf(largest, x);
      sum = sum * expf(before - largest) + expf(x - largest);
    }
  }
  const float top = of_block<largest_of_warp>(largest, -INFINITY);
  if (largest > -INFINITY) sum *= expf(largest - top);
  const float all = of_block<sum_of_warp>(sum, 0.0f);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    __stcs(out + blockIdx.x * n + i, expf(__bfloat162float(__ldca(row + i)) - top) / all);
}

/// Scales rows in place, eight numbers at a time.
__global__ void scale(Short* a, const float* factors) {
  const int at = (blockIdx.x * blockDim.x + threadIdx.x) * Pack<Short>::size;
  Pack<Short> some = load_once(a + at);
  for (int k = 0; k < some.size; ++k)
    some[k] = __float2bfloat16_rn(__bfloat162float(some[k]) * __ldg(&factors[k]));
  store_once(a + at, some);
}

/// Exchanges values with neighbours in the block, by stores and loads that a barrier separates.
__global__ void neighbours(int* a) {
  const int t = threadIdx.x, n = blockDim.x;
  int* const mine = a + blockIdx.x * n;
  for (int turn = 0; turn < 3; ++turn) {
    const int right = __ldcg(mine + (t + 1) % n), left = __ldcg(&mine[(t + n - 1) % n]);
    __syncthreads();
    __stcg(&mine[t], 2 * right - left);
    __syncthreads();
  }
  __stwt(mine + t, __ldlu(mine + t) + __ldcv(mine + t));
}

int main() {
  constexpr int rows = 3, n = 264;
  std::vector<Short> host(rows * n);
  for (int i = 0; i < rows * n; ++i) host[i] = __float2bfloat16(static_cast<float>(i * 37 % 19 - 9) / 4);
  Short* in;
  float *out, *factors;
  int* numbers;
  cudaMalloc(&in, rows * n * sizeof *in);
  cudaMalloc(&out, rows * n * sizeof *out);
  cudaMalloc(&factors, 8 * sizeof *factors);
  cudaMalloc(&numbers, 256 * sizeof *numbers);
  cudaMemcpy(in, host.data(), rows * n * sizeof *in, cudaMemcpyHostToDevice);
  softmax<<<rows, 64>>>(in, out, n);
  std::vector<float> result(rows * n);
  cudaMemcpy(result.data(), out, rows * n * sizeof *out, cudaMemcpyDeviceToHost);
  for (int r = 0; r < rows; ++r) {
    double sum = 0, all = 0, worst = 0;
    for (int i = 0; i < n; ++i) all += std::exp(static_cast<double>(__bfloat162float(host[r * n + i])));
    for (int i = 0; i < n; ++i) {
      const double right = std::exp(static_cast<double>(__bfloat162float(host[r * n + i]))) / all;
      sum += result[r * n + i];
      worst = std::fmax(worst, std::fabs(result[r * n + i] - right));
    }
    std::printf("row %d: sum %.4f, %s\n", r, sum, worst < 1e-6 ? "right" : "wrong");
  }

  const float eight[8] = {1, 2, 4, 8, 0.5f, 0.25f, -1, 0};
  cudaMemcpy(factors, eight, sizeof eight, cudaMemcpyHostToDevice);
  scale<<<3, 33>>>(in, factors);
  std::vector<Short> scaled(rows * n);
  cudaMemcpy(scaled.data(), in, rows * n * sizeof *in, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < rows * n; ++i)
    wrong += __bfloat162float(scaled[i]) != __bfloat162float(host[i]) * eight[i % 8];
  std::printf("scaled: %d wrong\n", wrong);

  int values[256];
  for (int i = 0; i < 256; ++i) values[i] = i * 13 % 7;
  cudaMemcpy(numbers, values, sizeof values, cudaMemcpyHostToDevice);
  neighbours<<<4, 64>>>(numbers);
  cudaMemcpy(values, numbers, sizeof values, cudaMemcpyDeviceToHost);
  int all = 0;
  for (int i = 0; i < 256; ++i) all = (all * 31 + values[i]) % 1000003;
  std::printf("neighbours: %d\n", all);

  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
