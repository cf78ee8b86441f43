// emucc: -std=c++17
// Dynamic shared memory: under several names and types, carved up, in templates, and more than 48 KiB.
#include <cstdio>

extern __shared__ double at_namespace[];

// CUDA's samples: one name for each type.
template <class T>
struct SharedMemory {
  __device__ inline operator T*() {
    extern __shared__ int shared_memory[];
    return reinterpret_cast<T*>(shared_memory);
  }
  __device__ inline operator const T*() const {
    extern __shared__ int shared_memory[];
    return reinterpret_cast<T*>(shared_memory);
  }
};
template <>
struct SharedMemory<double> {
  __device__ inline operator double*() {
    extern __shared__ double shared_doubles[];
    return shared_doubles;
  }
};

template <class T>
__global__ void sum(T* out) {
  T* partial = SharedMemory<T>();
  partial[threadIdx.x] = T(threadIdx.x) + T(1);
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) partial[threadIdx.x] += partial[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = partial[0];
}

__global__ void carve(int n, float* out) {
  extern __shared__ __align__(16) unsigned char raw[];
  __shared__ int fixed[4];
  double* doubles = reinterpret_cast<double*>(raw);
  float* floats = reinterpret_cast<float*>(&doubles[n]);
  short* shorts = (short*)(floats + n);
  const int i = threadIdx.x;
  if (i < 4) fixed[i] = i;
  doubles[i] = i * 0.5;
  floats[i] = i * 0.25f;
  shorts[i] = (short)(i * 100);
  __syncthreads();
  const int other = n - 1 - i;
  out[i] = (float)doubles[other] + floats[other] + shorts[other] + fixed[other % 4];
}

__device__ double last() {
  return at_namespace[blockDim.x - 1];
}
// The same memory by another name, which is declared after a statement.
__device__ float sum_of_floats() {
  if (blockDim.x == 0) return 0;
  extern __shared__ float as_floats[];
  as_floats[0] = 4;
  as_floats[1] = 5;
  return as_floats[0] + as_floats[1];
}
__global__ void named(float* out) {
  at_namespace[threadIdx.x] = threadIdx.x * 1.5;
  __syncthreads();
  if (threadIdx.x == 0) {
    out[0] = static_cast<float>(last());
    out[1] = sum_of_floats();
  }
}

__global__ void large(int words, unsigned* out) {
  extern __shared__ unsigned big[];
  for (int i = threadIdx.x; i < words; i += blockDim.x) big[i] = i;
  __syncthreads();
  unsigned total = 0;
  for (int i = threadIdx.x; i < words; i += blockDim.x) total += big[words - 1 - i] & 1;
  atomicAdd(out, total);
}

// A number of bytes that is no multiple of the required alignment.
__global__ void aligned(float* out) {
  extern __shared__ __align__(1024) char tile[];
  out[0] = static_cast<float>(static_cast<unsigned>(__cvta_generic_to_shared(tile)) % 1024);
}

int main() {
  float *out, host[8];
  cudaMalloc(&out, sizeof host);
  double* d;
  cudaMalloc(&d, sizeof *d);
  double sum_double;
  sum<double><<<1, 32, 32 * sizeof(double)>>>(d);
  cudaMemcpy(&sum_double, d, sizeof(double), cudaMemcpyDeviceToHost);
  sum<<<1, 16, 16 * sizeof(float)>>>(out);
  cudaMemcpy(host, out, sizeof(float), cudaMemcpyDeviceToHost);
  printf("sums %g %g\n", sum_double, host[0]);
  carve<<<1, 8, 8 * (sizeof(double) + sizeof(float) + sizeof(short))>>>(8, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (float value : host) printf("%g ", value);
  named<<<1, 4, 4 * sizeof(double)>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("\nnamed %g %g\n", host[0], host[1]);

  aligned<<<1, 1, 1000>>>(out);
  cudaMemcpy(host, out, sizeof *host, cudaMemcpyDeviceToHost);
  printf("aligned %g\n", host[0]);

  unsigned *count, odd = 0;
  cudaMalloc(&count, sizeof *count);
  cudaMemset(count, 0, sizeof *count);
  const int bytes = 64 * 1024;
  large<<<1, 64, bytes>>>(bytes / 4, count);
  printf("64 KiB without asking: %s\n", cudaGetErrorName(cudaGetLastError()));
  printf("asking: %s\n",
         cudaGetErrorName(cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)));
  large<<<1, 64, bytes>>>(bytes / 4, count);
  cudaMemcpy(&odd, count, sizeof odd, cudaMemcpyDeviceToHost);
  printf("64 KiB: %s, %u\n", cudaGetErrorName(cudaGetLastError()), odd);
}
