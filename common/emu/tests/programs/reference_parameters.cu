// Parameters of kernels that are references: the kernel receives the address of the caller's variable.
#include <cstdio>

struct P {
  int value;
  int values[64];
};

// A plain kernel, in which no thread waits.
__global__ void fill(P& p, const int& factor) {
  p.values[threadIdx.x] = factor * threadIdx.x;
  if (threadIdx.x == 0) p.value += 1;
}
// A kernel with a barrier. One thread changes a value that all threads read.
__global__ void turn(P& p) {
  __shared__ int copy[64];
  copy[threadIdx.x] = p.values[threadIdx.x];
  __syncthreads();
  p.values[threadIdx.x] = copy[63 - threadIdx.x] + p.value;
  __syncthreads();
  if (threadIdx.x == 5) p.value = 100;
  __syncthreads();
  p.values[threadIdx.x] += p.value;
}
template <class T>
__global__ void add(int (&numbers)[64], const T& more) {
  numbers[threadIdx.x] += more;
}
__global__ void count(int& counter, int by) { atomicAdd(&counter, by); }

__managed__ int counter;

int main() {
  P* p;
  int* factor;
  cudaMallocManaged(&p, sizeof(P));
  cudaMallocManaged(&factor, sizeof(int));
  p->value = 0;
  *factor = 3;
  fill<<<1, 64>>>(*p, *factor);
  cudaDeviceSynchronize();
  printf("fill: %d %d %d\n", p->value, p->values[1], p->values[63]);
  turn<<<1, 64>>>(*p);
  cudaDeviceSynchronize();
  printf("turn: %d %d %d\n", p->value, p->values[0], p->values[63]);
  *factor = 1000;
  add<<<1, 64>>>(p->values, *factor);
  // The address is passed, not the value at the launch.
  cudaDeviceSynchronize();
  printf("add: %d %d\n", p->values[0], p->values[63]);
  count<<<2, 32>>>(counter, 2);
  cudaDeviceSynchronize();
  printf("count: %d\n", counter);
  // The arguments of cudaLaunchKernel contain the address too.
  int* where = &counter;
  int by = 1;
  void* arguments[] = {&where, &by};
  cudaLaunchKernel((const void*)count, dim3(1), dim3(32), arguments, 0, nullptr);
  cudaDeviceSynchronize();
  printf("count: %d %s\n", counter, cudaGetErrorName(cudaGetLastError()));
  cudaFree(p);
  cudaFree(factor);
}
