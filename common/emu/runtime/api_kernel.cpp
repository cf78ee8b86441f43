// The runtime API's functions for kernels, which are identified by their host functions, and for occupancy.
#include <map>
#include <mutex>
#include <string>

#include "code_lines.hpp"
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

/// Returns the name of a kernel's host function, which is also the kernel's name, as on a GPU. The string lives as long
/// as the program.
const char* kept_name(const void* function, const Kernel& kernel) {
  static auto* const mutex = new std::mutex;
  static auto* const names = new std::map<const void*, std::string>;
  const std::lock_guard<std::mutex> lock(*mutex);
  std::string& name = (*names)[function];
  if (name.empty()) name = code_symbol(reinterpret_cast<std::uintptr_t>(function));
  if (name.empty()) name = kernel.info.name;
  return name.c_str();
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
cudaError_t cudaFuncGetName(const char** name, const void* func) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (name == nullptr) return remember(cudaErrorInvalidValue);
  detail::KernelFunction how{};
  const Kernel* const kernel = registered_kernel(func, &how);
  if (kernel == nullptr) return remember(cudaErrorInvalidDeviceFunction);
  *name = kept_name(func, *kernel);
  return cudaSuccess;
}
cudaError_t cudaFuncGetParamInfo(const void* func, size_t paramIndex, size_t* paramOffset,
                                 size_t* paramSize) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  detail::KernelFunction how{};
  if (registered_kernel(func, &how) == nullptr) return remember(cudaErrorInvalidDeviceFunction);
  if (paramOffset == nullptr || paramIndex >= how.parameter_count) return remember(cudaErrorInvalidValue);
  size_t end = 0;
  for (size_t i = 0; i <= paramIndex; ++i) {
    const detail::ParameterRoom& room = how.parameters[i];
    *paramOffset = (end + room.alignment - 1) / room.alignment * room.alignment;
    end = *paramOffset + room.bytes;
  }
  if (paramSize != nullptr) *paramSize = how.parameters[paramIndex].bytes;
  return cudaSuccess;
}
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* functionPtr, const void* symbolPtr) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  detail::KernelFunction how{};
  if (registered_kernel(symbolPtr, &how) == nullptr) return remember(cudaErrorInvalidDeviceFunction);
  // The host function identifies its kernel in all calls.
  if (functionPtr != nullptr) *functionPtr = reinterpret_cast<cudaFunction_t>(const_cast<void*>(symbolPtr));
  return cudaSuccess;
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
