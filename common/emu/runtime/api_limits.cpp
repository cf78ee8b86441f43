// The runtime API's functions for limits.
#include "limits.hpp"

#include <atomic>

#include "cuda_runtime_api.h"
#include "device.hpp"
#include "device_launch.hpp"
#include "errors.hpp"
#include "fiber.hpp"
#include "heap.hpp"
#include "print.hpp"

namespace cuemu {

namespace {
constexpr std::size_t first_stack = 1024;
constexpr std::size_t first_printf = 1 << 20;
constexpr std::size_t first_heap = 8 << 20;
constexpr std::size_t first_pending = 2048;
constexpr std::size_t first_granularity = 64;
constexpr std::size_t most_granularity = 128;

std::atomic<std::size_t> stack{first_stack};
std::atomic<std::size_t> heap{first_heap};
std::atomic<std::size_t> sync_depth{2};
std::atomic<std::size_t> granularity{first_granularity};
std::atomic<std::size_t> persisting{0};

/// Returns whether the device limits the depth of waiting kernels; devices of compute capability 9 and later don't.
bool has_sync_depth() {
  return device_profile().major < 9;
}

/// Returns how many bytes of the L2 cache may be set aside; 0: the device has no such cache.
std::size_t most_persisting() {
  return static_cast<std::size_t>(device_properties().persistingL2CacheMaxSize);
}
}  // namespace

std::size_t heap_limit() {
  return heap.load();
}

void reset_limits() {
  stack.store(first_stack);
  heap.store(first_heap);
  granularity.store(first_granularity);
  persisting.store(0);
  set_print_queue(first_printf);
  set_pending_launch_limit(first_pending);
}

}  // namespace cuemu

using namespace cuemu;

extern "C" {

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  switch (limit) {
    case cudaLimitStackSize:
      if (value > 512 * 1024) return remember(cudaErrorInvalidValue);
      stack.store((value + 15) / 16 * 16);
      set_stack_bytes(value);
      return cudaSuccess;
    case cudaLimitPrintfFifoSize:
      set_print_queue(value);
      return cudaSuccess;
    case cudaLimitMallocHeapSize:
      if (heap_in_use()) return remember(cudaErrorInvalidValue);  // a kernel has used the heap
      heap.store(value);
      return cudaSuccess;
    case cudaLimitDevRuntimeSyncDepth:
      if (!has_sync_depth()) return remember(cudaErrorUnsupportedLimit);
      sync_depth.store(value);
      return cudaSuccess;
    case cudaLimitDevRuntimePendingLaunchCount:
      set_pending_launch_limit(value);
      return cudaSuccess;
    case cudaLimitMaxL2FetchGranularity:
      if (value > most_granularity) return remember(cudaErrorInvalidValue);
      granularity.store(value);
      return cudaSuccess;
    case cudaLimitPersistingL2CacheSize:
      if (most_persisting() == 0) return remember(cudaErrorUnsupportedLimit);
      if (value > most_persisting()) return remember(cudaErrorInvalidValue);
      persisting.store(value);
      return cudaSuccess;
  }
  return remember(cudaErrorUnsupportedLimit);
}

cudaError_t cudaDeviceGetLimit(size_t* pValue, enum cudaLimit limit) {
  if (pValue == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  const auto give = [&](std::size_t value) {
    *pValue = value;
    return cudaSuccess;
  };
  switch (limit) {
    case cudaLimitStackSize:
      return give(stack.load());
    case cudaLimitPrintfFifoSize:
      return give(print_queue());
    case cudaLimitMallocHeapSize:
      return give(heap.load());
    case cudaLimitDevRuntimeSyncDepth:
      return has_sync_depth() ? give(sync_depth.load()) : remember(cudaErrorUnsupportedLimit);
    case cudaLimitDevRuntimePendingLaunchCount:
      return give(pending_launch_limit());
    case cudaLimitMaxL2FetchGranularity:
      return give(granularity.load());
    case cudaLimitPersistingL2CacheSize:
      return give(persisting.load());
  }
  return remember(cudaErrorUnsupportedLimit);
}
}
