// emucc: -rdc=true
// sanitizers: not thread, which has room for 8128 threads at a time: as many blocks as fit a GPU wait for each other
// Cooperative launches: barriers of the whole grid, the largest possible grid, and the occupancy queries that
// give its size.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

#define CHECK(call)                                                                         \
  do {                                                                                      \
    const cudaError_t error = (call);                                                       \
    if (error != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorString(error)); \
  } while (0)

// A prefix sum over the whole grid in log2(n) steps, with a barrier of the grid after each step.
__global__ void scan(int* data, int* other, int n) {
  cg::grid_group grid = cg::this_grid();
  const int i = grid.thread_rank();
  for (int step = 1; step < n; step *= 2) {
    if (i < n) other[i] = data[i] + (i >= step ? data[i - step] : 0);
    grid.sync();
    if (i < n) data[i] = other[i];
    grid.sync();
  }
}

__global__ void ask(int* valid) {
  if (cg::this_grid().thread_rank() == 0) *valid = cg::this_grid().is_valid();
}

__global__ void with_shared(float* out) {
  extern __shared__ float values[];
  values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}

template <typename T>
__global__ void simple(T* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

struct FloatForEach {
  __host__ __device__ size_t operator()(int threads) const { return threads * sizeof(float); }
};

int main() {
  constexpr int n = 4096;
  int *data, *other;
  CHECK(cudaMallocManaged(&data, n * sizeof(int)));
  CHECK(cudaMallocManaged(&other, n * sizeof(int)));
  for (int i = 0; i < n; ++i) data[i] = i % 5;
  int size = n;
  void* arguments[] = {&data, &other, &size};
  CHECK(cudaLaunchCooperativeKernel(scan, dim3(n / 128), dim3(128), arguments));
  CHECK(cudaDeviceSynchronize());
  int sum = 0, wrong = 0;
  for (int i = 0; i < n; ++i) {
    sum += i % 5;
    wrong += data[i] != sum;
  }
  printf("scan: last %d, wrong %d\n", data[n - 1], wrong);

  void* one[] = {&data};
  ask<<<2, 32>>>(data);
  CHECK(cudaDeviceSynchronize());
  printf("valid in an ordinary launch: %d", data[0]);
  CHECK(cudaLaunchCooperativeKernel(ask, dim3(2), dim3(32), one));
  CHECK(cudaDeviceSynchronize());
  printf(", in a cooperative one: %d\n", data[0]);

  cudaDeviceProp prop;
  int blocks = 0;
  CHECK(cudaGetDeviceProperties(&prop, 0));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scan, 32, prop.sharedMemPerBlock));
  const int most = blocks * prop.multiProcessorCount;
  CHECK(cudaLaunchCooperativeKernel(scan, dim3(most), dim3(32), arguments, prop.sharedMemPerBlock));
  CHECK(cudaDeviceSynchronize());
  printf("one block too many: %s\n", cudaGetErrorName(cudaLaunchCooperativeKernel(
                                         scan, dim3(most + 1), dim3(32), arguments, prop.sharedMemPerBlock)));
  printf("kept: %s\n", cudaGetErrorName(cudaGetLastError()));

  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  config.gridDim = dim3(4);
  config.blockDim = dim3(32);
  config.attrs = &attribute;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, ask, data));
  CHECK(cudaDeviceSynchronize());
  printf("by an attribute: %d\n", data[0]);

  int grid = 0, block = 0;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, simple<float>, 0, 0));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, simple<float>, block, 0));
  printf("potential: whole warps %d, full device %d\n", block % 32 == 0 && block > 0,
         grid == blocks * prop.multiProcessorCount);
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, simple<float>, 0, 128));
  printf("with a limit: %d\n", block);
  CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, with_shared, FloatForEach()));
  printf("with shared memory: whole warps %d\n", block % 32 == 0 && block > 0);
  size_t room = 0;
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&room, with_shared, 2, 256));
  printf("room for two blocks: %d\n", room > 0 && 2 * room <= prop.sharedMemPerMultiprocessor);

  float* out;
  CHECK(cudaMallocManaged(&out, 1024 * sizeof(float)));
  const size_t large = 60 * 1024;
  with_shared<<<1, 64, large>>>(out);
  printf("60 KiB at once: %d", cudaGetLastError() != cudaSuccess);
  CHECK(cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)large));
  with_shared<<<1, 64, large>>>(out);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, with_shared));
  printf(", allowed: %g, of at most %d bytes\n", out[0], attributes.maxDynamicSharedSizeBytes);
  printf("beyond the device: %s\n",
         cudaGetErrorName(cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                               (int)prop.sharedMemPerBlockOptin + 1)));
  cudaGetLastError();
  return 0;
}
