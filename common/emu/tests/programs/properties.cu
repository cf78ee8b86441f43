// Properties, attributes, limits, occupancy: conditions that hold on every device, and their relations.
#include <cstdio>
#define CHECK(call)                                                                 \
  do {                                                                              \
    cudaError_t e_ = (call);                                                        \
    if (e_ != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorName(e_)); \
  } while (0)
__global__ void small(float* p) {
  p[threadIdx.x] = 1;
}
__global__ void __launch_bounds__(128) with_shared(float* p) {
  __shared__ float a[256];
  __shared__ double b[16];
  a[threadIdx.x] = p[threadIdx.x];
  if (threadIdx.x < 16) b[threadIdx.x] = 2;
  __syncthreads();
  p[threadIdx.x] = a[127 - threadIdx.x] + static_cast<float>(b[threadIdx.x % 16]);
}
template <int n>
__global__ void dynamic(float* p) {
  extern __shared__ float s[];
  s[threadIdx.x] = n;
  p[threadIdx.x] = s[threadIdx.x];
}
int main() {
  int count = 0, device = -1, value = 0;
  CHECK(cudaGetDeviceCount(&count));
  CHECK(cudaGetDevice(&device));
  cudaDeviceProp p;
  CHECK(cudaGetDeviceProperties(&p, device));
  printf("%d %d %d\n", count >= 1, device, p.name[0] != 0);
  printf("%d %d %zu\n", p.warpSize, p.maxThreadsPerBlock, p.sharedMemPerBlock);
  printf("%d %d %d, %d %d %d\n", p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2], p.maxGridSize[0],
         p.maxGridSize[1], p.maxGridSize[2]);
  printf("%zu %d %d\n", p.totalConstMem, p.regsPerBlock, p.unifiedAddressing);
  printf("%d %d %d %d\n", p.multiProcessorCount > 0, p.totalGlobalMem > (1u << 20), p.major >= 3,
         p.maxThreadsPerMultiProcessor >= p.maxThreadsPerBlock);
  printf("%d %d\n", p.canMapHostMemory, p.managedMemory);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, device));
  printf("%d", value == p.multiProcessorCount);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, device));
  printf(" %d", value == p.maxThreadsPerBlock);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, device));
  printf(" %d", value == p.major);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, device));
  printf(" %d", value);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  printf(" %d", static_cast<size_t>(value) >= p.sharedMemPerBlock &&
                    value == static_cast<int>(p.sharedMemPerBlockOptin));
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrClockRate, device));
  printf(" %d\n", value > 0);
  int runtime = 0, driver = 0;
  CHECK(cudaRuntimeGetVersion(&runtime));
  CHECK(cudaDriverGetVersion(&driver));
  printf("%d %d\n", runtime == CUDART_VERSION, driver >= runtime);

  cudaFuncAttributes a;
  CHECK(cudaFuncGetAttributes(&a, small));
  printf("%zu %d %d\n", a.sharedSizeBytes, a.maxThreadsPerBlock, a.numRegs > 0);
  CHECK(cudaFuncGetAttributes(&a, (const void*)with_shared));
  printf("%zu %d\n", a.sharedSizeBytes, a.maxThreadsPerBlock);
  CHECK(cudaFuncSetAttribute(dynamic<3>, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
  CHECK(cudaFuncGetAttributes(&a, dynamic<3>));
  printf("%zu %d\n", a.sharedSizeBytes, a.maxDynamicSharedSizeBytes);
  CHECK(cudaFuncSetAttribute(dynamic<3>, cudaFuncAttributePreferredSharedMemoryCarveout,
                             cudaSharedmemCarveoutMaxShared));
  CHECK(cudaFuncSetCacheConfig(small, cudaFuncCachePreferL1));
  printf("%s\n", cudaGetErrorName(
                     cudaFuncSetAttribute(dynamic<4>, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 30)));
  cudaGetLastError();

  int blocks = 0, grid = 0, block = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, small, 256, 0));
  printf("%d", blocks >= 1 && blocks * 256 <= p.maxThreadsPerMultiProcessor);
  int fewer = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fewer, dynamic<3>, 32, 40000));
  printf(" %d", fewer >= 1 && fewer == static_cast<int>(p.sharedMemPerMultiprocessor /
                                                        (40000 + p.reservedSharedMemPerBlock)));
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, small, 0, 0));
  printf(" %d", block >= p.warpSize && block <= p.maxThreadsPerBlock && grid % p.multiProcessorCount == 0);
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, small, 0, 96));
  printf(" %d", block <= 96);
  CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, dynamic<3>,
                                                       [](int b) { return b * sizeof(float); }));
  printf(" %d\n", block >= p.warpSize && grid >= p.multiProcessorCount);

  size_t bytes = 0;
  CHECK(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
  printf("%d", bytes >= 1024);
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
  CHECK(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
  printf(" %d", bytes >= 16u << 20);
  CHECK(cudaDeviceGetLimit(&bytes, cudaLimitPrintfFifoSize));
  printf(" %d\n", bytes >= 1 << 20);
  CHECK(cudaSetDevice(0));
  CHECK(cudaDeviceReset());
  float* f;
  CHECK(cudaMalloc(&f, 512));
  CHECK(cudaMemset(f, 0, 512));
  with_shared<<<1, 128>>>(f);
  printf("after a reset: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
