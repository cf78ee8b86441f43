// Sum of many numbers: a tree in dynamic shared memory, then one atomic addition for each block.
#include <cstdio>
#include <vector>
extern __shared__ int partial[];
__device__ int fold(int value) {
  partial[threadIdx.x] = value;
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) partial[threadIdx.x] += partial[threadIdx.x + step];
    __syncthreads();
  }
  return partial[0];
}
__global__ void sum(const int* in, int n, int* out) {
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += in[i];
  const int total = fold(mine);
  if (threadIdx.x == 0) atomicAdd(out, total);
}
int main() {
  const int n = 10007;
  std::vector<int> in(n);
  long expected = 0;
  for (int i = 0; i < n; ++i) expected += in[i] = i % 101;
  int *device, *out, result = 0;
  cudaMalloc(&device, n * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(device, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof(int));
  sum<<<5, 128, 128 * sizeof(int)>>>(device, n, out);
  cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%s\n", result == expected ? "equal" : "different");
}
