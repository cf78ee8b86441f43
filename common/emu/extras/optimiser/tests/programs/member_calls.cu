// Kernels that call member functions of the program's classes between barriers. The functions change or only
// read their object, call others, or wait for the block. Each result is compared with the host's result.
#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int threads = 64;

namespace space {

/// Cells along a line.
struct Grid {
  int side;
  float width;
  __host__ __device__ int along(float x) const {
    const int cell = static_cast<int>((x + 1) / width);
    return cell < side ? (cell < 0 ? 0 : cell) : side - 1;
  }
};

}  // namespace space

class Mean {
 public:
  __host__ __device__ void add(float x) {
    sum_ += x;
    ++count_;
  }
  __host__ __device__ float value() const { return sum_ / static_cast<float>(count_); }

 private:
  float sum_ = 0;
  int count_ = 0;
};

struct Meeting {
  int* to;
  __device__ int next(int value) const {
    to[threadIdx.x] = value;
    __syncthreads();
    return to[(threadIdx.x + 1) % threads];
  }
};

struct Arrays {
  const float* in;
  float* out;
  int* cells;
};

__global__ void histogram(space::Grid grid, Arrays arrays) {
  __shared__ int counts[8];
  const int i = threadIdx.x;
  if (i < 8) counts[i] = 0;
  __syncthreads();
  const int cell = grid.along(arrays.in[i]);
  atomicAdd(&counts[cell], 1);
  Mean mean;
  mean.add(arrays.in[i]);
  __syncthreads();
  mean.add(arrays.in[threads - 1 - i]);
  arrays.cells[i] = counts[cell];
  __syncthreads();
  mean.add(static_cast<float>(arrays.cells[(i + 1) % threads]));
  arrays.out[i] = mean.value();
}

// A member function that waits for the block.
__global__ void neighbours(int* values) {
  __shared__ int s[threads];
  const Meeting meeting{s};
  const int value = meeting.next(values[threadIdx.x]);
  __syncthreads();
  values[threadIdx.x] = meeting.next(value);
}

int main() {
  float* f;
  int* n;
  cudaMallocManaged(&f, 2 * threads * sizeof(float));
  cudaMallocManaged(&n, threads * sizeof(int));
  for (int i = 0; i < threads; ++i) f[i] = static_cast<float>(i * 37 % 64) / 32 - 1;
  const space::Grid grid = {8, 0.25f};
  histogram<<<1, threads>>>(grid, {f, f + threads, n});
  cudaDeviceSynchronize();
  std::vector<int> counts(8);
  for (int i = 0; i < threads; ++i) ++counts[grid.along(f[i])];
  bool good = true;
  for (int i = 0; i < threads; ++i) {
    Mean mean;
    mean.add(f[i]);
    mean.add(f[threads - 1 - i]);
    mean.add(static_cast<float>(counts[grid.along(f[(i + 1) % threads])]));
    good = good && n[i] == counts[grid.along(f[i])] && f[threads + i] == mean.value();
  }
  printf("histogram: %s\n", good ? "ok" : "wrong");
  for (int i = 0; i < threads; ++i) n[i] = i * i;
  neighbours<<<1, threads>>>(n);
  cudaDeviceSynchronize();
  for (int i = 0; i < threads; ++i) good = good && n[i] == (i + 2) % threads * ((i + 2) % threads);
  printf("neighbours: %s\n", good ? "ok" : "wrong");
  for (void* memory : {static_cast<void*>(f), static_cast<void*>(n)}) cudaFree(memory);
  return good ? 0 : 1;
}
