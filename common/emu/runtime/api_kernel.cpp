// The runtime API's part on kernels by the address of their host functions, and on occupancy.
#include "cuda_runtime.h"
#include "device.hpp"
#include "errors.hpp"
#include "runtime.hpp"

using namespace cuemu;

namespace {
cudaError_t launch_registered(const void* func, dim3 grid, dim3 block, void** args, size_t shared,
                              cudaStream_t stream, bool cooperative) {
  detail::KernelFunction how{};
  if (registered_kernel(func, &how) == nullptr) return remember(no_such_kernel);
  return detail::launch_kernel(func, how, grid, block, args, shared, stream, cooperative);
}
}  // namespace

extern "C" {

cudaError_t cudaLaunchKernel(const void* func, dim3 gridDim, dim3 blockDim, void** args, size_t sharedMem,
                             cudaStream_t stream) {
  return launch_registered(func, gridDim, blockDim, args, sharedMem, stream, false);
}
cudaError_t cudaLaunchCooperativeKernel(const void* func, dim3 gridDim, dim3 blockDim, void** args,
                                        size_t sharedMem, cudaStream_t stream) {
  return launch_registered(func, gridDim, blockDim, args, sharedMem, stream, true);
}
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attr, const void* func) {
  detail::KernelFunction how{};
  return detail::function_attributes(attr, registered_kernel(func, &how));
}
cudaError_t cudaFuncSetAttribute(const void* func, enum cudaFuncAttribute attr, int value) {
  detail::KernelFunction how{};
  return detail::set_function_attribute(registered_kernel(func, &how), attr, value);
}
cudaError_t cudaFuncSetCacheConfig(const void*, enum cudaFuncCache) {
  return enter();
}
cudaError_t cudaFuncSetSharedMemConfig(const void*, enum cudaSharedMemConfig) {
  return enter();
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, const void* func, int blockSize,
                                                          size_t dynamicSMemSize) {
  detail::KernelFunction how{};
  return detail::max_active_blocks(numBlocks, registered_kernel(func, &how), blockSize, dynamicSMemSize);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, const void* func,
                                                                   int blockSize, size_t dynamicSMemSize,
                                                                   unsigned int) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, func, blockSize, dynamicSMemSize);
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, const void* func,
                                                      int numBlocks, int blockSize) {
  detail::KernelFunction how{};
  return detail::available_dynamic_shared(dynamicSmemSize, registered_kernel(func, &how), numBlocks,
                                          blockSize);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* func, void** args) {
  detail::KernelFunction how{};
  if (config == nullptr) return remember(cudaErrorInvalidValue);
  if (registered_kernel(func, &how) == nullptr) return remember(no_such_kernel);
  return detail::launch_kernel(func, how, *config, args);
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* clusterSize, const void* func,
                                                 const cudaLaunchConfig_t*) {
  detail::KernelFunction how{};
  return detail::largest_cluster(clusterSize, registered_kernel(func, &how));
}
cudaError_t cudaOccupancyMaxActiveClusters(int* numClusters, const void* func,
                                           const cudaLaunchConfig_t* config) {
  detail::KernelFunction how{};
  return detail::max_active_clusters(numClusters, registered_kernel(func, &how), config);
}
}
