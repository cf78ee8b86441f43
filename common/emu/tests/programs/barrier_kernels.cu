// Kernels with barriers as in samples and textbooks: products, reductions, scans, sorts, transposes,
// stencils, particles. Each result is compared with the host's.
#include <cooperative_groups.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numeric>
#include <vector>

namespace cg = cooperative_groups;

#define BLOCK 64

template <int BLOCK_SIZE>
__global__ void matrix_multiply(float* C, const float* A, const float* B, int wA, int wB) {
  int bx = blockIdx.x, by = blockIdx.y;
  int tx = threadIdx.x, ty = threadIdx.y;
  int aBegin = wA * BLOCK_SIZE * by;
  int aEnd = aBegin + wA - 1;
  int aStep = BLOCK_SIZE;
  int bBegin = BLOCK_SIZE * bx;
  int bStep = BLOCK_SIZE * wB;
  float Csub = 0;
  for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
    __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
    As[ty][tx] = A[a + wA * ty + tx];
    Bs[ty][tx] = B[b + wB * ty + tx];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BLOCK_SIZE; ++k) {
      Csub += As[ty][k] * Bs[k][tx];
    }
    __syncthreads();
  }
  int c = wB * BLOCK_SIZE * by + BLOCK_SIZE * bx;
  C[c + wB * ty + tx] = Csub;
}

__global__ void reduce_interleaved(const int* g_idata, int* g_odata, unsigned int n) {
  cg::thread_block cta = cg::this_thread_block();
  extern __shared__ int sdata[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  sdata[tid] = (i < n) ? g_idata[i] : 0;
  cg::sync(cta);
  for (unsigned int s = 1; s < blockDim.x; s *= 2) {
    unsigned int index = 2 * s * tid;
    if (index < blockDim.x) {
      sdata[index] += sdata[index + s];
    }
    cg::sync(cta);
  }
  if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

template <class T, unsigned int blockSize>
__global__ void reduce_unrolled(const T* g_idata, T* g_odata, unsigned int n) {
  __shared__ T sdata[blockSize];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * (blockSize * 2) + threadIdx.x;
  unsigned int gridSize = blockSize * 2 * gridDim.x;
  T mySum = 0;
  while (i < n) {
    mySum += g_idata[i];
    if (i + blockSize < n) mySum += g_idata[i + blockSize];
    i += gridSize;
  }
  sdata[tid] = mySum;
  __syncthreads();
  if (blockSize >= 512) {
    if (tid < 256) sdata[tid] = mySum = mySum + sdata[tid + 256];
    __syncthreads();
  }
  if (blockSize >= 256) {
    if (tid < 128) sdata[tid] = mySum = mySum + sdata[tid + 128];
    __syncthreads();
  }
  if (blockSize >= 128) {
    if (tid < 64) sdata[tid] = mySum = mySum + sdata[tid + 64];
    __syncthreads();
  }
  if (blockSize >= 64) {
    if (tid < 32) {
      sdata[tid] = mySum = mySum + sdata[tid + 32];
    }
    __syncthreads();
  }
  for (unsigned int offset = 16; offset > 0; offset >>= 1) {
    if (tid < offset) sdata[tid] = mySum = mySum + sdata[tid + offset];
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = mySum;
}

// Hillis and Steele, with two buffers.
__global__ void scan_naive(int* g_odata, const int* g_idata, int n) {
  extern __shared__ int temp[];
  int thid = threadIdx.x;
  int pout = 0, pin = 1;
  temp[thid] = (thid > 0) ? g_idata[thid - 1] : 0;
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    pout = 1 - pout;
    pin = 1 - pout;
    if (thid >= offset)
      temp[pout * n + thid] = temp[pin * n + thid] + temp[pin * n + thid - offset];
    else
      temp[pout * n + thid] = temp[pin * n + thid];
    __syncthreads();
  }
  g_odata[thid] = temp[pout * n + thid];
}

// Blelloch's scan, with two elements for each thread.
__global__ void scan_efficient(int* g_odata, const int* g_idata, int n) {
  extern __shared__ int temp[];
  int thid = threadIdx.x;
  int offset = 1;
  temp[2 * thid] = g_idata[2 * thid];
  temp[2 * thid + 1] = g_idata[2 * thid + 1];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1;
      int bi = offset * (2 * thid + 2) - 1;
      temp[bi] += temp[ai];
    }
    offset *= 2;
  }
  if (thid == 0) temp[n - 1] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1;
      int bi = offset * (2 * thid + 2) - 1;
      int t = temp[ai];
      temp[ai] = temp[bi];
      temp[bi] += t;
    }
  }
  __syncthreads();
  g_odata[2 * thid] = temp[2 * thid];
  g_odata[2 * thid + 1] = temp[2 * thid + 1];
}

__device__ inline void compare_and_swap(int& a, int& b, bool up) {
  if ((a > b) == up) {
    int t = a;
    a = b;
    b = t;
  }
}

__global__ void bitonic_sort(int* values) {
  __shared__ int s[2 * BLOCK];
  s[threadIdx.x] = values[blockIdx.x * 2 * BLOCK + threadIdx.x];
  s[threadIdx.x + BLOCK] = values[blockIdx.x * 2 * BLOCK + threadIdx.x + BLOCK];
  for (unsigned size = 2; size <= 2 * BLOCK; size <<= 1) {
    bool up = (threadIdx.x & (size / 2)) == 0 || size == 2 * BLOCK;
    for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      compare_and_swap(s[pos], s[pos + stride], up);
    }
  }
  __syncthreads();
  values[blockIdx.x * 2 * BLOCK + threadIdx.x] = s[threadIdx.x];
  values[blockIdx.x * 2 * BLOCK + threadIdx.x + BLOCK] = s[threadIdx.x + BLOCK];
}

#define TILE_DIM 32
#define BLOCK_ROWS 8
__global__ void transpose(float* odata, const float* idata, int width, int height) {
  __shared__ float tile[TILE_DIM][TILE_DIM + 1];
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < height && y + j < width) odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

#define RADIUS 3
__global__ void stencil(const int* in, int* out, int n) {
  __shared__ int temp[BLOCK + 2 * RADIUS];
  int gindex = threadIdx.x + blockIdx.x * blockDim.x;
  int lindex = threadIdx.x + RADIUS;
  temp[lindex] = gindex < n ? in[gindex] : 0;
  if (threadIdx.x < RADIUS) {
    temp[lindex - RADIUS] = gindex >= RADIUS ? in[gindex - RADIUS] : 0;
    temp[lindex + BLOCK] = gindex + BLOCK < n ? in[gindex + BLOCK] : 0;
  }
  __syncthreads();
  if (gindex >= n) return;
  int result = 0;
  for (int offset = -RADIUS; offset <= RADIUS; offset++) result += temp[lindex + offset];
  out[gindex] = result;
}

__host__ __device__ float3 interaction(float4 bi, float4 bj, float3 ai) {
  float3 r = make_float3(bj.x - bi.x, bj.y - bi.y, bj.z - bi.z);
  float squared = r.x * r.x + r.y * r.y + r.z * r.z + 0.25f;
  float inverse = 1.0f / sqrtf(squared * squared * squared);
  float s = bj.w * inverse;
  ai.x += r.x * s;
  ai.y += r.y * s;
  ai.z += r.z * s;
  return ai;
}

__global__ void bodies(const float4* positions, float3* accelerations, int n) {
  __shared__ float4 sharedPos[BLOCK];
  float3 acc = {0.0f, 0.0f, 0.0f};
  const int gtid = blockIdx.x * blockDim.x + threadIdx.x;
  float4 mine = positions[gtid];
  for (int i = 0, tile = 0; i < n; i += BLOCK, tile++) {
    int idx = tile * blockDim.x + threadIdx.x;
    sharedPos[threadIdx.x] = positions[idx];
    __syncthreads();
    for (int j = 0; j < BLOCK; ++j) acc = interaction(mine, sharedPos[j], acc);
    __syncthreads();
  }
  accelerations[gtid] = acc;
}

__global__ void histogram(const unsigned char* data, unsigned* counts, int n) {
  __shared__ unsigned local[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) local[i] = 0;
  __syncthreads();
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  int stride = blockDim.x * gridDim.x;
  while (i < n) {
    atomicAdd(&local[data[i]], 1u);
    i += stride;
  }
  __syncthreads();
  for (int j = threadIdx.x; j < 256; j += blockDim.x) atomicAdd(&counts[j], local[j]);
}

/// Each thread visits its elements by a pointer that it keeps across barriers.
__global__ void walk(const int* in, int* out, int n) {
  __shared__ int row[BLOCK];
  const int t = threadIdx.x;
  int sum = 0;
  const int* own = in + t;
  for (int i = 0; i < n; i += BLOCK) {
    row[t] = *own;
    __syncthreads();
    sum += *own * row[(t + 1) % BLOCK];
    own += BLOCK;
    __syncthreads();
  }
  out[t] = sum;
}

__global__ void pipeline_of_two(const int* in, int* out, int n) {
  __shared__ int buffer[2][BLOCK];
  int stage = 0, sum = 0;
  buffer[stage][threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int tile = 1; tile <= n; ++tile) {
    if (tile < n) buffer[stage ^ 1][threadIdx.x] = in[tile * BLOCK + threadIdx.x];
    sum = sum * 3 + buffer[stage][BLOCK - 1 - threadIdx.x];
    __syncthreads();
    stage ^= 1;
  }
  out[threadIdx.x] = sum;
}

int failures = 0;
void expect(bool ok, const char* what) {
  printf("%s: %s\n", what, ok ? "right" : "WRONG");
  failures += !ok;
}

template <class T>
struct Array {
  explicit Array(size_t n) : n(n) { cudaMalloc(&p, n * sizeof(T)); }
  explicit Array(const std::vector<T>& v) : Array(v.size()) {
    cudaMemcpy(p, v.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Array() { cudaFree(p); }
  std::vector<T> get() const {
    std::vector<T> v(n);
    cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
    return v;
  }
  T* p = nullptr;
  size_t n;
};

std::vector<int> numbers(int n) {
  std::vector<int> v(n);
  for (int i = 0; i < n; ++i) v[i] = (i * 7919 + 13) % 101 - 50;
  return v;
}

void products() {
  const int wA = 64, hA = 32, wB = 48;
  std::vector<float> a(wA * hA), b(wB * wA), c(wB * hA, 0.0f);
  for (size_t i = 0; i < a.size(); ++i) a[i] = float(i % 7) - 3;
  for (size_t i = 0; i < b.size(); ++i) b[i] = float(i % 5) - 2;
  for (int i = 0; i < hA; ++i)
    for (int j = 0; j < wB; ++j)
      for (int k = 0; k < wA; ++k) c[i * wB + j] += a[i * wA + k] * b[k * wB + j];
  Array<float> A(a), B(b), C(c.size());
  matrix_multiply<16><<<dim3(wB / 16, hA / 16), dim3(16, 16)>>>(C.p, A.p, B.p, wA, wB);
  expect(C.get() == c, "tiled product");
}

void reductions() {
  const std::vector<int> v = numbers(1000);
  const int sum = std::accumulate(v.begin(), v.end(), 0);
  Array<int> in(v), out(16);
  reduce_interleaved<<<16, BLOCK, BLOCK * sizeof(int)>>>(in.p, out.p, 1000);
  std::vector<int> r = out.get();
  expect(std::accumulate(r.begin(), r.end(), 0) == sum, "interleaved reduction");
  reduce_unrolled<int, 64><<<4, 64>>>(in.p, out.p, 1000);
  r = out.get();
  expect(std::accumulate(r.begin(), r.begin() + 4, 0) == sum, "unrolled reduction of 64");
  reduce_unrolled<int, 512><<<1, 512>>>(in.p, out.p, 1000);
  expect(out.get()[0] == sum, "unrolled reduction of 512");
}

void scans() {
  const int n = 128;
  const std::vector<int> v = numbers(n);
  std::vector<int> expected(n);
  std::exclusive_scan(v.begin(), v.end(), expected.begin(), 0);
  Array<int> in(v), out(n);
  scan_naive<<<1, n, 2 * n * sizeof(int)>>>(out.p, in.p, n);
  expect(out.get() == expected, "naive scan");
  scan_efficient<<<1, n / 2, n * sizeof(int)>>>(out.p, in.p, n);
  expect(out.get() == expected, "work-efficient scan");
}

void sorts() {
  std::vector<int> v = numbers(4 * BLOCK);
  Array<int> values(v);
  bitonic_sort<<<2, BLOCK>>>(values.p);
  std::sort(v.begin(), v.begin() + 2 * BLOCK);
  std::sort(v.begin() + 2 * BLOCK, v.end());
  expect(values.get() == v, "bitonic sort");
}

void transposes() {
  const int w = 70, h = 45;
  std::vector<float> in(w * h), expected(w * h);
  for (int i = 0; i < w * h; ++i) in[i] = float(i);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) expected[x * h + y] = in[y * w + x];
  Array<float> a(in), b(in.size());
  transpose<<<dim3(3, 2), dim3(TILE_DIM, BLOCK_ROWS)>>>(b.p, a.p, w, h);
  expect(b.get() == expected, "transpose");
}

void stencils() {
  const int n = 150;
  const std::vector<int> v = numbers(n);
  std::vector<int> expected(n, 0);
  for (int i = 0; i < n; ++i)
    for (int j = std::max(0, i - RADIUS); j <= std::min(n - 1, i + RADIUS); ++j) expected[i] += v[j];
  Array<int> in(v), out(n);
  stencil<<<3, BLOCK>>>(in.p, out.p, n);
  expect(out.get() == expected, "stencil");
}

void particles() {
  const int n = 128;
  std::vector<float4> p(n);
  for (int i = 0; i < n; ++i) p[i] = make_float4(float(i % 5), float(i % 7), float(i % 11), 1.0f);
  Array<float4> positions(p);
  Array<float3> out(n);
  bodies<<<n / BLOCK, BLOCK>>>(positions.p, out.p, n);
  bool close = true;
  const std::vector<float3> got = out.get();
  for (int i = 0; i < n; ++i) {
    float3 a = {0, 0, 0};
    for (int j = 0; j < n; ++j) a = interaction(p[i], p[j], a);
    close = close && std::fabs(a.x - got[i].x) < 1e-3f && std::fabs(a.y - got[i].y) < 1e-3f &&
            std::fabs(a.z - got[i].z) < 1e-3f;
  }
  expect(close, "bodies");
}

void counts() {
  const int n = 5000;
  std::vector<unsigned char> data(n);
  std::vector<unsigned> expected(256, 0);
  for (int i = 0; i < n; ++i) ++expected[data[i] = static_cast<unsigned char>(i * i % 251)];
  Array<unsigned char> in(data);
  Array<unsigned> out(std::vector<unsigned>(256, 0));
  histogram<<<4, BLOCK>>>(in.p, out.p, n);
  expect(out.get() == expected, "histogram");
}

void walks() {
  const int n = 4 * BLOCK;
  const std::vector<int> v = numbers(n);
  std::vector<int> expected(BLOCK, 0);
  for (int t = 0; t < BLOCK; ++t)
    for (int i = t; i < n; i += BLOCK) expected[t] += v[i] * v[i / BLOCK * BLOCK + (t + 1) % BLOCK];
  Array<int> in(v), out(BLOCK);
  walk<<<1, BLOCK>>>(in.p, out.p, n);
  expect(out.get() == expected, "walk");
}

void pipelines() {
  const std::vector<int> v = numbers(4 * BLOCK);
  std::vector<int> expected(BLOCK, 0);
  for (int t = 0; t < BLOCK; ++t)
    for (int tile = 0; tile < 4; ++tile) expected[t] = expected[t] * 3 + v[tile * BLOCK + BLOCK - 1 - t];
  Array<int> in(v), out(BLOCK);
  pipeline_of_two<<<1, BLOCK>>>(in.p, out.p, 4);
  expect(out.get() == expected, "two buffers");
}

int main() {
  products();
  reductions();
  scans();
  sorts();
  transposes();
  stencils();
  particles();
  counts();
  pipelines();
  walks();
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return failures;
}
