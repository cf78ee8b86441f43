// Lambdas in kernels. Each thread calls them by itself.
#include <cstdio>

__global__ void by_reference(const float* in, float* out, int n) {
  __shared__ float s[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  auto add = [&](float v) { sum += v * (i % 3 + 1); };
  auto read = [&](int k) { return i + k < n ? in[i + k] : 0.0f; };
  add(read(0));
  s[threadIdx.x] = sum;
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    add(s[(threadIdx.x + d) % 64]);
    __syncthreads();
    s[threadIdx.x] = sum + read(d);
    __syncthreads();
  }
  out[i] = sum;
}

__global__ void by_value(int* out, int n) {
  __shared__ int s[2][32];
  const int t = threadIdx.x;
  const int base = n * 2 + t;
  const auto index = [=](int k) { return (base + k) % 32; };
  auto put = [t](int row, int v) { s[row][t] = v; };
  auto last = []() { return blockDim.x - 1; };
  put(0, t);
  put(1, index(1));
  __syncthreads();
  for (int row = 0; row < 2; ++row) {
    int v = 0;
    {
      auto neighbour = [&](int k) {
        if (k < 0) return 0;
        return s[row][(t + k) % 32];
      };
      v = neighbour(1) + 100 * neighbour(-1) + neighbour(7);
    }
    __syncthreads();
    put(row, v + index(row));
    __syncthreads();
  }
  out[t] = s[0][t] * 1000 + s[1][last() - t] + threadIdx.y;
}

__global__ void in_warps(int* out) {
  const int lane = threadIdx.x % 32;
  int v = threadIdx.x * 7 % 13;
  auto better = [&](int a, int b) { return a > b || (a == b && lane % 2 == 0); };
  for (int d = 16; d > 0; d /= 2) {
    const int other = __shfl_xor_sync(0xffffffffu, v, d);
    if (better(other, v)) v = other;
  }
  auto swap = [](int& a, int& b) {
    const int c = a;
    a = b;
    b = c;
  };
  int w = lane;
  swap(v, w);
  __syncthreads();
  out[threadIdx.x] = v * 100 + w;
}

__global__ void shadows(int* out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  auto twice = [&](int t) { return 2 * t; };  // the lambda's own t
  auto sum = [&](int n) {
    int all = 0;
    for (int t = 0; t < n; ++t) all += twice(t);
    return all;
  };
  s[t] = sum(t % 5) + n;
  __syncthreads();
  if (t < 60) {
    auto keep = [&] { return s[63 - t] + sum(2); };
    out[t] = keep();
    return;
  }
  out[t] = twice(t);
}

int main() {
  float *in, *out;
  int* n;
  cudaMallocManaged(&in, 128 * sizeof(float));
  cudaMallocManaged(&out, 128 * sizeof(float));
  cudaMallocManaged(&n, 128 * sizeof(int));
  for (int i = 0; i < 128; ++i) in[i] = static_cast<float>(i % 7);
  by_reference<<<2, 64>>>(in, out, 128);
  cudaDeviceSynchronize();
  for (int i = 0; i < 128; i += 9) printf("%g ", out[i]);
  by_value<<<1, 32>>>(n, 3);
  cudaDeviceSynchronize();
  printf("\n");
  for (int i = 0; i < 32; i += 3) printf("%d ", n[i]);
  in_warps<<<1, 64>>>(n);
  cudaDeviceSynchronize();
  printf("\n");
  for (int i = 0; i < 64; i += 5) printf("%d ", n[i]);
  shadows<<<1, 64>>>(n, 5);
  cudaDeviceSynchronize();
  printf("\n");
  for (int i = 0; i < 64; i += 3) printf("%d ", n[i]);
  printf("\n");
  cudaFree(in);
  cudaFree(out);
  cudaFree(n);
}
