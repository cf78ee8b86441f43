// Sorts small numbers by counting them: a program of three kernels that belongs to no lab, with a mistake in the second.
//
//   histogram   counts[v] = how many keys are v          one thread per key, counts of a block in shared memory
//   scan        offsets[v] = counts[0] + … + counts[v-1]    one thread per value, in one block
//   scatter     sorted[offsets[v]++] = v                  one thread per key
//
//   emucc --record counting_sort.cu -o counting_sort && ./counting_sort        the barrier below is missing
//   emucc --record -DRIGHT counting_sort.cu -o counting_sort && ./counting_sort
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int n = 512;      // keys
constexpr int values = 64;  // each is in [0, values)
constexpr int block_size = 128;

#define CHECK(call)                                               \
  do {                                                            \
    if (const cudaError_t error = (call); error != cudaSuccess) { \
      std::printf("%s: %s\n", #call, cudaGetErrorString(error));  \
      std::exit(1);                                               \
    }                                                             \
  } while (0)

__global__ void histogram(const int* keys, int* counts) {
  __shared__ int mine[values];  // of this block
  if (threadIdx.x < values) mine[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&mine[keys[blockIdx.x * block_size + threadIdx.x]], 1);
  __syncthreads();
  if (threadIdx.x < values) atomicAdd(&counts[threadIdx.x], mine[threadIdx.x]);
}

__global__ void scan(const int* counts, int* offsets) {
  __shared__ int sum[values];
  const int v = threadIdx.x;
  sum[v] = counts[v];
  __syncthreads();
  for (int step = 1; step < values; step *= 2) {
    const int left = v >= step ? sum[v - step] : 0;
#ifdef RIGHT
    __syncthreads();  // all have read before any thread writes
#endif
    sum[v] += left;
    __syncthreads();
  }
  offsets[v] = sum[v] - counts[v];
}

__global__ void scatter(const int* keys, int* offsets, int* sorted) {
  const int key = keys[blockIdx.x * block_size + threadIdx.x];
  sorted[atomicAdd(&offsets[key], 1)] = key;
}

int main() {
  std::vector<int> keys(n), sorted(n);
  unsigned random = 1;
  for (int& key : keys) {
    random = random * 1664525u + 1013904223u;
    key = static_cast<int>(random >> 26);
  }
  int *d_keys, *d_counts, *d_offsets, *d_sorted;
  CHECK(cudaMalloc(&d_keys, n * sizeof(int)));
  CHECK(cudaMalloc(&d_counts, values * sizeof(int)));
  CHECK(cudaMalloc(&d_offsets, values * sizeof(int)));
  CHECK(cudaMalloc(&d_sorted, n * sizeof(int)));
  CHECK(cudaMemcpy(d_keys, keys.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d_counts, 0, values * sizeof(int)));
  histogram<<<n / block_size, block_size>>>(d_keys, d_counts);
  scan<<<1, values>>>(d_counts, d_offsets);
  scatter<<<n / block_size, block_size>>>(d_keys, d_offsets, d_sorted);
  CHECK(cudaMemcpy(sorted.data(), d_sorted, n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int* array : {d_keys, d_counts, d_offsets, d_sorted}) CHECK(cudaFree(array));
  for (int i = 1; i < n; ++i)
    if (sorted[i - 1] > sorted[i]) {
      std::printf("wrong: sorted[%d] = %d is followed by %d\n", i - 1, sorted[i - 1], sorted[i]);
      return 1;
    }
  std::puts("sorted");
}
