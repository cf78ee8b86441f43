// CUB's allocator of device memory. Here it passes every request to the runtime.
#pragma once

#include "cuemu/push_macros.hpp"

#include "cuemu/cub/common.hpp"

namespace cub {

struct CachingDeviceAllocator {
  template <typename... Settings>
  explicit CachingDeviceAllocator(const Settings&...) {}
  cudaError_t DeviceAllocate(void** memory, size_t bytes, cudaStream_t = nullptr) {
    return ::cudaMalloc(memory, bytes == 0 ? 1 : bytes);
  }
  cudaError_t DeviceFree(void* memory) { return ::cudaFree(memory); }
  cudaError_t FreeAllCached() { return cudaSuccess; }
};

}  // namespace cub

#include "cuemu/pop_macros.hpp"
