// Loops around barriers whose counters begin with the thread's index. In some blocks all threads run equally
// many iterations, in others some end sooner. (random_kernels_test.cpp tests kernels that lack a barrier.)
#include <cstdio>
#include <vector>

constexpr int threads = 64;
constexpr int half = threads / 2;
constexpr int blocks = 6;

__host__ __device__ int mixed(int a, int b) {
  return a * 31 + b;
}

// The blocks end their loops differently: for some, n is a multiple of the number of threads.
__global__ void strided(const int* in, const int* ends, int* out, int n) {
  __shared__ int row[threads];
  const int t = threadIdx.x;
  int sum = 0;
  for (int i = t; i < n - (int)blockIdx.x * 16; i += blockDim.x) {
    row[t] = in[i];
    __syncthreads();
    sum = mixed(sum, row[(t + 1) % threads]);
    __syncthreads();
  }
  out[blockIdx.x * threads + t] = sum + ends[blockIdx.x];
}

// A tree whose strides depend on the thread. From some stride on, threads with large indices have no work.
__global__ void tree(const int* in, int* out, unsigned most) {
  __shared__ int s[threads];
  const unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * threads + t];
  __syncthreads();
  for (unsigned other = t + half; other > t; other = t + (other - t) / 2) {
    if (other < 2 * (other - t)) s[t] += s[other];
    __syncthreads();
  }
  for (unsigned other = t + 1; other <= most; other = t + (other - t) * 2) {  // differs at the end
    const int value = s[other % threads];
    __syncthreads();
    s[t] += value;
    __syncthreads();
  }
  out[blockIdx.x * threads + t] = s[t];
}

// All kinds of guards, nested loops, threads that leave early, and a name that is hidden.
__global__ void guards(int* out, int n, int first, int by) {
  __shared__ int s[threads];
  const int t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  if (t >= n) return;
  for (int i = first + t; i < 3 * threads; i += by) {
    if (i < 100 - (i - t)) s[t] += 1;
    if (i >= 2 * n) s[t] += 10;
    if (90 > i) s[t] += 100;
    if (n <= i) {
      for (int j = 0; j < 3; ++j) s[t] += i * j;
    }
    __syncthreads();
    for (int k = t; k <= t; k += 2) {
      const int value = s[(t + k + 1) % n];
      __syncthreads();
      for (int j = 0; j < 2; ++j) s[t] = mixed(s[t], value + j) % 10007;
      if (n == 5) continue;
      __syncthreads();
    }
  }
  out[blockIdx.x * threads + t] = s[t];
}

// Loops that are left or skipped, or whose counters begin near the end of their type's range.
__global__ void left(int* out, unsigned n) {
  __shared__ int s[threads];
  const unsigned t = threadIdx.x;
  s[t] = 0;
  for (unsigned i = t; i < n; i += threads) {
    s[t] += 1;
    __syncthreads();
    if (s[threads - 1 - t] > 3) break;
    __syncthreads();
  }
  out[blockIdx.x * threads + t] = s[t];
}

__global__ void around(int* out, unsigned far, int zero) {
  __shared__ int s[threads];
  const unsigned t = threadIdx.x;
  s[t] = 0;
  for (unsigned i = t + far; i < 100; i += threads) {  // the first value may wrap for some threads
    s[t] += 100;
    __syncthreads();
  }
  if (zero != 0)
    for (unsigned i = t; i < 64; i += zero - 1) {  // would run no iteration, if a thread reached this
      s[t] += 1000;
      __syncthreads();
    }
  out[blockIdx.x * threads + t] = s[t];
}

// Uses nearly all shared memory, in both kinds of blocks.
__global__ void large(int* out, int n) {
  __shared__ int s[11000];
  const int t = threadIdx.x + threadIdx.y * blockDim.x;
  for (int k = t; k < 11000; k += threads) s[k] = 0;
  __syncthreads();
  for (int i = 2 * blockIdx.x + t; i < n; i += blockDim.x * blockDim.y) {
    s[i] = i;
    __syncthreads();
    s[10999 - i] = s[i ^ 1] + t;
    __syncthreads();
  }
  out[blockIdx.x * threads + t] = s[10999 - t] + s[t];
}

unsigned sum_of(const int* out) {
  std::vector<int> got(blocks * threads);
  cudaMemcpy(got.data(), out, got.size() * sizeof(int), cudaMemcpyDefault);
  unsigned sum = 0;
  for (const int one : got) sum = sum * 31 + static_cast<unsigned>(one);
  return sum;
}

int main() {
  int *in, *out, *ends;
  cudaMallocManaged(&in, 1024 * sizeof(int));
  cudaMallocManaged(&ends, blocks * sizeof(int));
  cudaMalloc(&out, blocks * threads * sizeof(int));
  for (int i = 0; i < 1024; ++i) in[i] = i * i % 101;
  for (int i = 0; i < blocks; ++i) ends[i] = i;

  strided<<<blocks, threads>>>(in, ends, out, 4 * threads);
  cudaDeviceSynchronize();
  std::vector<int> got(blocks * threads);
  cudaMemcpy(got.data(), out, got.size() * sizeof(int), cudaMemcpyDefault);
  int wrong = 0;
  for (const int b : {0, 4})  // its threads run the same iterations
    for (int t = 0; t < threads; ++t) {
      int sum = 0;
      for (int i = 0; i < 4 * threads - 16 * b; i += threads) sum = mixed(sum, in[i + (t + 1) % threads]);
      wrong += got[b * threads + t] != sum + b;
    }
  std::printf("strided: %d wrong, %08x\n", wrong, sum_of(out));

  for (const unsigned most : {threads, 3 * threads}) {
    cudaMemset(out, 0, blocks * threads * sizeof(int));
    tree<<<blocks, threads>>>(in, out, most);
    std::printf("tree up to %u: %08x\n", most, sum_of(out));
  }
  for (const int n : {threads, 50})
    for (const int first : {0, 7, -9})
      for (const int by : {threads, 50, 17}) {
        cudaMemset(out, 0, blocks * threads * sizeof(int));
        guards<<<blocks, threads>>>(out, n, first, by);
        std::printf("guards %d %d %d: %08x\n", n, first, by, sum_of(out));
      }
  left<<<blocks, threads>>>(out, 10 * threads);
  std::printf("left: %08x\n", sum_of(out));
  for (const unsigned far : {1u, 36u, 0xffffffe0u, 0xffffff00u}) {
    around<<<blocks, threads>>>(out, far, 0);
    std::printf("around %x: %08x\n", far, sum_of(out));
  }
  cudaMemset(out, 0, blocks * threads * sizeof(int));
  large<<<blocks, dim3(16, 4)>>>(out, 4 * threads + 4);
  std::printf("large: %08x\n", sum_of(out));
  cudaFree(in), cudaFree(out), cudaFree(ends);
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
