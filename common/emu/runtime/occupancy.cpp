// A kernel's resources, and the number of its blocks that a multiprocessor holds.
#include "occupancy.hpp"

#include <algorithm>

#include "cuda_runtime.h"
#include "errors.hpp"
#include "launch_state.hpp"
#include "runtime.hpp"

namespace cuemu {

Occupancy occupancy(const DeviceProfile& device, int threads, std::size_t shared) {
  if (threads > device.threads_per_block) return {0, 0, "threads"};
  if (shared > device.shared_per_block_optin) return {0, 0, "shared memory"};
  return cuda_lab_profile::occupancy(
      {device.threads_per_multiprocessor, device.blocks_per_multiprocessor,
       device.registers_per_multiprocessor, device.shared_per_multiprocessor, device.shared_reserved},
      threads, registers_per_thread, shared);
}

namespace detail {

cudaError_t function_attributes(cudaFuncAttributes* attributes, Kernel* kernel) {
  if (attributes == nullptr) return remember(cudaErrorInvalidValue);
  if (kernel == nullptr) return remember(no_such_kernel);
  const KernelState& state = state_of(*kernel);
  const DeviceProfile& device = device_profile();
  *attributes = {};
  attributes->sharedSizeBytes = static_shared_bytes(*kernel);
  attributes->maxThreadsPerBlock =
      kernel->info.max_threads != 0 ? static_cast<int>(kernel->info.max_threads) : device.threads_per_block;
  attributes->numRegs = registers_per_thread;
  attributes->ptxVersion = attributes->binaryVersion = device.major * 10 + device.minor;
  const dim3& cluster = kernel->info.cluster;
  if (cluster.x * cluster.y * cluster.z > 1) {
    attributes->clusterDimMustBeSet = 1;
    attributes->requiredClusterWidth = static_cast<int>(cluster.x);
    attributes->requiredClusterHeight = static_cast<int>(cluster.y);
    attributes->requiredClusterDepth = static_cast<int>(cluster.z);
  }
  attributes->nonPortableClusterSizeAllowed = state.large_clusters.load() ? 1 : 0;
  const int opt_in = state.max_dynamic_shared.load();
  attributes->maxDynamicSharedSizeBytes =
      opt_in > 0 ? opt_in : static_cast<int>(device.shared_per_block - attributes->sharedSizeBytes);
  return cudaSuccess;
}

cudaError_t set_function_attribute(Kernel* kernel, cudaFuncAttribute attribute, int value) {
  if (kernel == nullptr) return remember(no_such_kernel);
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
    return value >= -1 && value <= 100 ? cudaSuccess : remember(cudaErrorInvalidValue);
  KernelState& state = state_of(*kernel);
  if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed) {
    state.large_clusters.store(value != 0);
    return cudaSuccess;
  }
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return remember(cudaErrorInvalidValue);
  const std::size_t limit = device_profile().shared_per_block_optin - static_shared_bytes(*kernel);
  if (value < 0 || static_cast<std::size_t>(value) > limit) return remember(cudaErrorInvalidValue);
  state.max_dynamic_shared.store(value);
  return cudaSuccess;
}

cudaError_t max_active_blocks(int* blocks, Kernel* kernel, int block_size, std::size_t dynamic_shared) {
  if (blocks == nullptr || block_size <= 0) return remember(cudaErrorInvalidValue);
  if (kernel == nullptr) return remember(no_such_kernel);
  const std::size_t shared = static_shared_bytes(*kernel) + dynamic_shared;
  *blocks = occupancy(device_profile(), block_size, shared).blocks;
  return cudaSuccess;
}

cudaError_t available_dynamic_shared(std::size_t* bytes, Kernel* kernel, int blocks, int block_size) {
  if (bytes == nullptr || blocks <= 0 || block_size <= 0) return remember(cudaErrorInvalidValue);
  if (kernel == nullptr) return remember(cudaErrorInvalidDeviceFunction);
  const DeviceProfile& device = device_profile();
  const std::size_t fixed = static_shared_bytes(*kernel);
  const std::size_t share = device.shared_per_multiprocessor / static_cast<std::size_t>(blocks);
  const std::size_t taken = device.shared_reserved + fixed;
  *bytes = share > taken ? std::min(share - taken, device.shared_per_block_optin - fixed) : 0;
  return cudaSuccess;
}

Kernel* known_kernel(const void* function) {
  KernelFunction how{};
  return registered_kernel(function, &how);
}

cudaError_t largest_block_for_occupancy(int* grid, int* block, Kernel* kernel,
                                        std::size_t (*shared)(int, void*), void* context, int limit) {
  if (grid == nullptr || block == nullptr) return remember(cudaErrorInvalidValue);
  const DeviceProfile& device = device_profile();
  const int largest = limit > 0 ? std::min(limit, device.threads_per_block) : device.threads_per_block;
  int best_threads = -1;
  for (int size = (largest + 31) / 32 * 32; size > 0; size -= 32) {
    const int threads = std::min(size, largest);
    int blocks = 0;
    if (const cudaError_t error = max_active_blocks(&blocks, kernel, threads, shared(threads, context));
        error != cudaSuccess)
      return error;
    if (blocks * threads <= best_threads) continue;
    best_threads = blocks * threads;
    *block = threads;
    *grid = blocks * device.multiprocessors;
  }
  return cudaSuccess;
}

}  // namespace detail
}  // namespace cuemu
