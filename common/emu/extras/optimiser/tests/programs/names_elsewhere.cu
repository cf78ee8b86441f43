// Functions with barriers. Kernels call them by namespaces, from other namespaces, and before definition.
#include <cstdio>

// declared here, defined at the end of the file
__device__ float block_sum(float value, float* scratch);
__device__ int twice(int value);
__device__ void shift(int* s, int by = 1);

__global__ void forward(float* out) {
  __shared__ float scratch[8];
  const float sum = block_sum(threadIdx.x + 1.0f, scratch);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void forward_plain(int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = twice(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}

__global__ void forward_default(int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x * 10;
  __syncthreads();
  shift(s);
  shift(s, 2);
  out[threadIdx.x] = s[threadIdx.x];
}

namespace tools {
constexpr int width = 64;
struct Pair {
  int low, high;
};
__device__ int offset = 5;
__device__ int add(int a, int b) { return a + b + offset; }

namespace detail {
__device__ int rotate(int* s, int value) {
  s[threadIdx.x] = value;
  __syncthreads();
  const int other = s[(threadIdx.x + 1) % width];
  __syncthreads();
  return add(other, 0);
}
}  // namespace detail

__device__ Pair ends(int* s, int value) {
  s[threadIdx.x] = value;
  __syncthreads();
  Pair both;
  both.low = s[0];
  both.high = s[width - 1];
  __syncthreads();
  return both;
}
__device__ int both_ends(int* s, int value) {
  const Pair pair = ends(s, value);
  return pair.high * 100 + pair.low;
}
__device__ float warp_total(float v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}
__device__ float pair_total(float* s, float v) {
  v = warp_total(v);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  return s[0] + s[1];
}
}  // namespace tools

namespace other {
// the same names with other meanings
constexpr int width = 3;
__device__ int rotate(int* s, int value) {
  s[threadIdx.x] = value;
  __syncthreads();
  const int result = s[(threadIdx.x + width) % 64];
  __syncthreads();
  return result;
}
__global__ void qualified(int* out) {
  __shared__ int s[64];
  const int a = tools::detail::rotate(s, threadIdx.x);
  const int b = rotate(s, threadIdx.x);
  out[threadIdx.x] = a * 1000 + b;
}
}  // namespace other

using namespace tools;

__global__ void opened(int* out) {
  __shared__ int s[64];
  out[threadIdx.x] = both_ends(s, threadIdx.x + 1);
}

__global__ void warps(float* out) {
  __shared__ float s[2];
  out[threadIdx.x] = ::tools::pair_total(s, threadIdx.x);
}

__global__ void inside(int* out) {
  using namespace other;
  namespace far = tools::detail;
  __shared__ int s[64];
  const int width = 7;  // hides the constant of `tools`
  out[threadIdx.x] = tools::detail::rotate(s, threadIdx.x) + width;
}

__device__ float warp_sum(float v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  return v;
}

__device__ float block_sum(float value, float* scratch) {
  value = warp_sum(value);
  if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = value;
  __syncthreads();
  float sum = 0;
  for (unsigned w = 0; w < blockDim.x / 32; ++w) sum += scratch[w];
  return sum;
}

__device__ int twice(int value) { return 2 * value; }

__device__ void shift(int* s, int by) {
  const int mine = s[(threadIdx.x + by) % 64];
  __syncthreads();
  s[threadIdx.x] = mine;
  __syncthreads();
}

template <class T>
void show(const char* name, const T* values, int count) {
  printf("%s:", name);
  for (int i = 0; i < count; ++i) printf(" %g", static_cast<double>(values[i]));
  printf("\n");
}

int main() {
  float* f;
  int* n;
  cudaMallocManaged(&f, 64 * sizeof(float));
  cudaMallocManaged(&n, 64 * sizeof(int));
  forward<<<2, 128>>>(f);
  cudaDeviceSynchronize();
  show("forward", f, 2);
  forward_plain<<<1, 64>>>(n);
  cudaDeviceSynchronize();
  show("forward_plain", n, 4);
  forward_default<<<1, 64>>>(n);
  cudaDeviceSynchronize();
  show("forward_default", n, 64);
  other::qualified<<<1, 64>>>(n);
  cudaDeviceSynchronize();
  show("qualified", n, 64);
  opened<<<1, 64>>>(n);
  cudaDeviceSynchronize();
  show("opened", n, 2);
  warps<<<1, 64>>>(f);
  cudaDeviceSynchronize();
  show("warps", f, 2);
  inside<<<1, 64>>>(n);
  cudaDeviceSynchronize();
  show("inside", n, 64);
  cudaFree(f);
  cudaFree(n);
}
