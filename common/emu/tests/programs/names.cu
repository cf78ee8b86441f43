// Names of parameters, local variables and types that a translation might use for itself.
#include <cstdio>

__global__ void parameters(int* dim3, int block, int thread, int grid, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) dim3[i] = block + thread * 10 + grid * 100 + i;
}
__global__ void phases(int* out, int block_index, int warp, int lane, int phase, int body, int self, int info) {
  __shared__ int shared[64];
  int threads = threadIdx.x, loop = 0;
  shared[threads] = warp + lane;
  __syncthreads();
  for (int index = 0; index < 3; ++index) {
    loop += shared[(threads + index) % 64];
    __syncthreads();
    shared[threads] += phase;
    __syncthreads();
  }
  out[threads] = loop + body + self + info + block_index;
}
__global__ void lanes(int* x, int z, int kernel_entry, int for_threads, int args, int launch, int result) {
  int std = 4, value = threadIdx.x;
  value += __shfl_xor_sync(0xffffffffu, value, 1);
  x[threadIdx.x] = value + std + kernel_entry + for_threads + args + launch + result + z;
}
struct block {
  int a;
};
struct thread {
  int b;
};
__global__ void types(block* grid, thread dim3) {
  grid->a = dim3.b;
}
template <class uint3, int warp_size>
__global__ void templates(uint3* size, uint3 float4) {
  *size = float4 * warp_size;
}

int main() {
  int* a;
  cudaMallocManaged(&a, 4096);
  parameters<<<1, 4>>>(a, 1, 2, 3, 4);
  cudaDeviceSynchronize();
  printf("%d %d\n", a[0], a[3]);
  phases<<<1, 64>>>(a, 1, 2, 3, 4, 5, 7, 8);
  cudaDeviceSynchronize();
  printf("%d %d\n", a[0], a[63]);
  lanes<<<1, 32>>>(a, 1, 2, 3, 4, 5, 6);
  cudaDeviceSynchronize();
  printf("%d %d\n", a[0], a[31]);
  thread t{9};
  types<<<1, 1>>>(reinterpret_cast<block*>(a), t);
  cudaDeviceSynchronize();
  printf("%d\n", a[0]);
  templates<double, 3><<<1, 1>>>(reinterpret_cast<double*>(a), 2.5);
  cudaDeviceSynchronize();
  printf("%g\n", *reinterpret_cast<double*>(a));
  cudaFree(a);
  return 0;
}
