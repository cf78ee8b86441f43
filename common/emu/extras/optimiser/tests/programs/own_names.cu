// Functions of a program that have the names of CUDA's functions. The program's own definitions must be used.
#include <cstdio>

namespace warp {
// Returns the largest value of a warp.
__device__ int max(int v) {
  for (int o = 16; o; o /= 2) v = ::max(v, __shfl_xor_sync(~0u, v, o));
  return v;
}
}  // namespace warp

// Returns the largest value of a block of 64 threads.
struct Block {
  static __device__ int max(int v) {
    __shared__ int s[64];
    s[threadIdx.x] = v;
    __syncthreads();
    int most = s[0];
    for (int k = 1; k < 64; ++k) most = ::max(most, s[k]);
    __syncthreads();
    return most;
  }
};

namespace my {
template <class T>
__device__ void max(T& a, const T& b) {
  if (b > a) a = b;
}
__device__ int abs(int x) {
  return x + threadIdx.x;
}
__device__ int __vsum4(int x) {
  return x - static_cast<int>(threadIdx.x);
}
template <class T>
__device__ void memcpy(T* to, const T* from, int n) {
  for (int k = threadIdx.x; k < n; k += blockDim.x) to[k] = from[k];
  __syncthreads();
}
}  // namespace my

// In CUDA's functions of these names, threads act together or in one step. Here each thread acts alone.
namespace mine {
__device__ int atomicAdd(int* at, int value) {
  const int before = *at;
  *at += 2 * value;
  return before;
}
__device__ int atomicCAS(int* at, int a, int b) {
  *at = a + b;
  return 7;
}
__device__ void __threadfence() {}
__device__ void __syncwarp() {}
__device__ void __syncthreads() {}
__device__ int __syncthreads_count(int x) {
  return 2 * x;
}
__device__ int __shfl_sync(unsigned, int value, int) {
  return value + 1;
}
__device__ int __ballot_sync(unsigned, int value) {
  return value * 3;
}
__device__ int printf(const char*) {
  return 5;
}
__device__ int clock() {
  return 11;
}
__global__ void unqualified(int* out) {
  const int t = threadIdx.x;
  out[t] = t;
  int sum = atomicAdd(out + t, 1);
  if (t > 3) __syncthreads();
  sum += __shfl_sync(0u, t, 0) + printf("not printed\n");
  __threadfence();
  __syncwarp();
  out[t] += sum;
}
}  // namespace mine

struct Log {
  int n = 0;
  __device__ void printf(const char*, int x) {
    n += x;
  }
  __device__ int atomicAdd(int* at, int value) {
    *at = 100;
    return value;
  }
  __device__ void __syncwarp() {
    n += 1000;
  }
  __device__ void __syncthreads() {
    n += 1;
  }
  __device__ int __any_sync(int x) {
    return x * 2;
  }
  __device__ void all(int* at) {
    printf("not printed\n", 3);
    atomicAdd(at, 1);
    __syncwarp();
    __syncthreads();
    n += __any_sync(4);
  }
};

__device__ int fdim(int x) {
  return x * 2 + threadIdx.x;
}

__device__ void round(int& x) {
  x = x / 10 * 10;
}

__global__ void of_warp(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = warp::max(t % 40);
  __syncthreads();
  out[t] = max(s[63 - t], 5);
}

__global__ void of_block(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = Block::max(t * 3 % 64);
  __syncthreads();
  out[t] = s[63 - t] + t;
}

__global__ void by_reference(int* out, int k) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  int best = k;
  s[t] = t * 5 % 64;
  __syncthreads();
  my::max(best, s[(t + 1) % 64]);
  __syncthreads();
  s[t] = best;
  __syncthreads();
  my::max(best, s[(t + 1) % 64]);
  out[t] = best;
}

__global__ void asks_index(int* out, int k) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  const int first = my::abs(k);
  const int second = fdim(k);
  const int third = my::__vsum4(k);
  s[t] = t;
  __syncthreads();
  out[t] = first * 10000 + second * 100 + third + s[63 - t];
}

__global__ void rounds(int* out, int k) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  int mine = k;
  s[t] = t;
  __syncthreads();
  mine += s[63 - t];
  __syncthreads();
  round(mine);
  s[t] = mine;
  __syncthreads();
  out[t] = mine + s[(t + 20) % 64];
}

__global__ void copies(int* out, const int* in) {
  __shared__ int s[64];
  my::memcpy(s, in, 64);
  out[threadIdx.x] = s[63 - threadIdx.x];
}

__global__ void qualified(int* out) {
  const int t = threadIdx.x;
  out[t] = t;
  int sum = mine::atomicAdd(out + t, 1);
  mine::__threadfence();
  mine::__syncwarp();
  sum += mine::__shfl_sync(0u, t, 0) + mine::__ballot_sync(0u, t);
  if (t > 3) mine::__syncthreads();
  sum += mine::atomicCAS(out + t, 1, 2);
  sum += mine::printf("not printed\n") + mine::clock() + mine::__syncthreads_count(t);
  out[t] += sum;
}

__global__ void of_members(int* out) {
  const int t = threadIdx.x;
  int sum = 0;
  Log log;
  log.printf("not printed\n", t);
  log.atomicAdd(out + t, 9);
  if (t & 1) log.__syncwarp();
  if (t & 2) log.__syncthreads();
  sum += log.__any_sync(t);
  log.all(out + t);
  out[t] += sum + log.n;
}

// The program can still call CUDA's functions.
__global__ void both(int* out) {
  __shared__ int s[64];
  __shared__ int total;
  const int t = threadIdx.x;
  if (t == 0) total = 0;
  __syncthreads();
  s[t] = mine::atomicAdd(out + t, 0);
  atomicAdd(&total, t);
  __syncthreads();
  const int next = __shfl_sync(~0u, s[63 - t], (t + 1) % 32);
  if (t == 9) printf("printed\n");
  out[t] = total + next;
}

// The kernel has a variable of such a name.
__global__ void lambda(int* out, int k) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  int best = k;
  auto max = [](int& a, int b) {
    if (b > a) a = b;
  };
  s[t] = t;
  __syncthreads();
  max(best, s[63 - t]);
  __syncthreads();
  s[t] = best;
  __syncthreads();
  out[t] = best + s[63 - t];
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 64 * sizeof(int));
  cudaMallocManaged(&out, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i) in[i] = i * i;
  const auto print = [&](const char* what) {
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%s:", what);
    for (int i = 0; i < 64; i += 9) printf(" %d", out[i]);
    printf(error == cudaSuccess ? "\n" : " %s\n", cudaGetErrorString(error));
  };
  of_warp<<<1, 64>>>(out);
  print("of_warp");
  of_block<<<1, 64>>>(out);
  print("of_block");
  by_reference<<<1, 64>>>(out, 7);
  print("by_reference");
  asks_index<<<1, 64>>>(out, 3);
  print("asks_index");
  rounds<<<1, 64>>>(out, 3);
  print("rounds");
  copies<<<1, 64>>>(out, in);
  print("copies");
  lambda<<<1, 64>>>(out, 30);
  print("lambda");
  mine::unqualified<<<1, 64>>>(out);
  print("unqualified");
  qualified<<<1, 64>>>(out);
  print("qualified");
  of_members<<<1, 64>>>(out);
  print("of_members");
  for (int i = 0; i < 64; ++i) out[i] = i * 10;
  both<<<1, 64>>>(out);
  print("both");
}
