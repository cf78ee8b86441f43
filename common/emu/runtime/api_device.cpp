// The runtime API's part on devices, limits and versions, and the start and the end of the runtime itself.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "clock.hpp"
#include "cuda_runtime.h"
#include "device.hpp"
#include "errors.hpp"
#include "faults.hpp"
#include "fiber.hpp"
#include "memory.hpp"
#include "print.hpp"
#include "profile.hpp"
#include "runtime.hpp"
#include "stream.hpp"

namespace cuemu {

namespace {
void end_runtime() {
  if (in_kernel()) return;  // a kernel called exit(): nothing can be waited for
  wait_for_device();
  flush_device_output();
  end_profile();
}
}  // namespace

void start_runtime() {
  static const bool started = [] {
    install_fault_handlers();
    begin_profile();
    std::atexit(end_runtime);
    return true;
  }();
  (void)started;
}

long long device_clock() {
  return now_ns();
}

}  // namespace cuemu

using namespace cuemu;

namespace {
unsigned device_flags = cudaDeviceScheduleAuto;
std::size_t heap_limit = 8 << 20;
std::size_t pending_launches = 2048;
std::size_t sync_depth = 2;
std::size_t l2_granularity = 64;
cudaFuncCache cache_config = cudaFuncCachePreferNone;

/// The start of every call that is not about errors: starts the runtime; the error that destroyed the
/// context.
cudaError_t enter() {
  start_runtime();
  return remember(context_error());
}

cudaError_t check_device(int device) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  return remember(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  if (count == nullptr) return remember(cudaErrorInvalidValue);
  *count = 1;
  return enter();
}

cudaError_t cudaGetDevice(int* device) {
  if (device == nullptr) return remember(cudaErrorInvalidValue);
  *device = 0;
  return enter();
}

cudaError_t cudaSetDevice(int device) {
  return check_device(device);
}
cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) {
  return check_device(device);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp* prop, int device) {
  if (prop == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = check_device(device); error != cudaSuccess) return error;
  *prop = device_properties();
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, enum cudaDeviceAttr attr, int device) {
  if (value == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = check_device(device); error != cudaSuccess) return error;
  const cudaDeviceProp prop = device_properties();
  const auto give = [&](auto known) {
    *value = static_cast<int>(known);
    return cudaSuccess;
  };
  switch (attr) {
    case cudaDevAttrMaxThreadsPerBlock:
      return give(prop.maxThreadsPerBlock);
    case cudaDevAttrMaxBlockDimX:
      return give(prop.maxThreadsDim[0]);
    case cudaDevAttrMaxBlockDimY:
      return give(prop.maxThreadsDim[1]);
    case cudaDevAttrMaxBlockDimZ:
      return give(prop.maxThreadsDim[2]);
    case cudaDevAttrMaxGridDimX:
      return give(prop.maxGridSize[0]);
    case cudaDevAttrMaxGridDimY:
      return give(prop.maxGridSize[1]);
    case cudaDevAttrMaxGridDimZ:
      return give(prop.maxGridSize[2]);
    case cudaDevAttrMaxSharedMemoryPerBlock:
      return give(prop.sharedMemPerBlock);
    case cudaDevAttrTotalConstantMemory:
      return give(prop.totalConstMem);
    case cudaDevAttrWarpSize:
      return give(prop.warpSize);
    case cudaDevAttrMaxPitch:
      return give(prop.memPitch);
    case cudaDevAttrMaxRegistersPerBlock:
      return give(prop.regsPerBlock);
    case cudaDevAttrClockRate:
      return give(prop.clockRate);
    case cudaDevAttrTextureAlignment:
      return give(prop.textureAlignment);
    case cudaDevAttrTexturePitchAlignment:
      return give(prop.texturePitchAlignment);
    case cudaDevAttrGpuOverlap:
      return give(1);
    case cudaDevAttrMultiProcessorCount:
      return give(prop.multiProcessorCount);
    case cudaDevAttrCanMapHostMemory:
      return give(prop.canMapHostMemory);
    case cudaDevAttrComputeMode:
      return give(cudaComputeModeDefault);
    case cudaDevAttrConcurrentKernels:
      return give(prop.concurrentKernels);
    case cudaDevAttrEccEnabled:
      return give(prop.ECCEnabled);
    case cudaDevAttrMemoryClockRate:
      return give(prop.memoryClockRate);
    case cudaDevAttrGlobalMemoryBusWidth:
      return give(prop.memoryBusWidth);
    case cudaDevAttrL2CacheSize:
      return give(prop.l2CacheSize);
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return give(prop.maxThreadsPerMultiProcessor);
    case cudaDevAttrAsyncEngineCount:
      return give(prop.asyncEngineCount);
    case cudaDevAttrUnifiedAddressing:
      return give(1);
    case cudaDevAttrComputeCapabilityMajor:
      return give(prop.major);
    case cudaDevAttrComputeCapabilityMinor:
      return give(prop.minor);
    case cudaDevAttrStreamPrioritiesSupported:
      return give(1);
    case cudaDevAttrGlobalL1CacheSupported:
      return give(1);
    case cudaDevAttrLocalL1CacheSupported:
      return give(1);
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return give(prop.sharedMemPerMultiprocessor);
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      return give(prop.regsPerMultiprocessor);
    case cudaDevAttrManagedMemory:
      return give(1);
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
      return give(prop.singleToDoublePrecisionPerfRatio);
    case cudaDevAttrConcurrentManagedAccess:
      return give(prop.concurrentManagedAccess);
    case cudaDevAttrComputePreemptionSupported:
      return give(1);
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
      return give(1);
    case cudaDevAttrCooperativeLaunch:
      return give(1);
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return give(prop.sharedMemPerBlockOptin);
    case cudaDevAttrHostRegisterSupported:
      return give(1);
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      return give(prop.maxBlocksPerMultiProcessor);
    case cudaDevAttrReservedSharedMemoryPerBlock:
      return give(prop.reservedSharedMemPerBlock);
    case cudaDevAttrMemoryPoolsSupported:
      return give(1);
    default:
      break;
  }
  if (static_cast<int>(attr) < 1 || attr >= cudaDevAttrMax) return remember(cudaErrorInvalidValue);
  return give(0);  // what a GPU may have and the emulation has not
}

cudaError_t cudaChooseDevice(int* device, const struct cudaDeviceProp* prop) {
  if (device == nullptr || prop == nullptr) return remember(cudaErrorInvalidValue);
  return cudaGetDevice(device);
}

cudaError_t cudaDeviceGetPCIBusId(char* pciBusId, int len, int device) {
  if (pciBusId == nullptr || len < 13) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = check_device(device); error != cudaSuccess) return error;
  std::snprintf(pciBusId, static_cast<std::size_t>(len), "0000:00:00.0");
  return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* pciBusId) {
  if (device == nullptr || pciBusId == nullptr) return remember(cudaErrorInvalidValue);
  if (std::strcmp(pciBusId, "0000:00:00.0") != 0) return remember(cudaErrorInvalidDevice);
  return cudaGetDevice(device);
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  if ((flags & ~static_cast<unsigned>(cudaDeviceMask)) != 0) return remember(cudaErrorInvalidValue);
  device_flags = flags;
  return enter();
}

cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  if (flags == nullptr) return remember(cudaErrorInvalidValue);
  *flags = device_flags;
  return enter();
}

cudaError_t cudaDeviceSynchronize(void) {
  start_runtime();
  wait_for_device();
  flush_device_output();
  return remember(observe_context());
}

cudaError_t cudaThreadSynchronize(void) {
  return cudaDeviceSynchronize();
}

cudaError_t cudaDeviceReset(void) {
  const cudaError_t error = cudaDeviceSynchronize();
  release_all();
  return error;
}

cudaError_t cudaThreadExit(void) {
  return cudaDeviceReset();
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  switch (limit) {
    case cudaLimitStackSize:
      set_stack_bytes(value);
      return cudaSuccess;
    case cudaLimitPrintfFifoSize:
      set_print_queue(value);
      return cudaSuccess;
    case cudaLimitMallocHeapSize:
      heap_limit = value;
      return cudaSuccess;
    case cudaLimitDevRuntimeSyncDepth:
      sync_depth = value;
      return cudaSuccess;
    case cudaLimitDevRuntimePendingLaunchCount:
      pending_launches = value;
      return cudaSuccess;
    case cudaLimitMaxL2FetchGranularity:
      l2_granularity = value;
      return cudaSuccess;
    case cudaLimitPersistingL2CacheSize:
      return remember(value == 0 ? cudaSuccess : cudaErrorUnsupportedLimit);
  }
  return remember(cudaErrorUnsupportedLimit);
}

cudaError_t cudaDeviceGetLimit(size_t* pValue, enum cudaLimit limit) {
  if (pValue == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  switch (limit) {
    case cudaLimitStackSize:
      *pValue = stack_bytes();
      return cudaSuccess;
    case cudaLimitPrintfFifoSize:
      *pValue = print_queue();
      return cudaSuccess;
    case cudaLimitMallocHeapSize:
      *pValue = heap_limit;
      return cudaSuccess;
    case cudaLimitDevRuntimeSyncDepth:
      *pValue = sync_depth;
      return cudaSuccess;
    case cudaLimitDevRuntimePendingLaunchCount:
      *pValue = pending_launches;
      return cudaSuccess;
    case cudaLimitMaxL2FetchGranularity:
      *pValue = l2_granularity;
      return cudaSuccess;
    case cudaLimitPersistingL2CacheSize:
      *pValue = 0;
      return cudaSuccess;
  }
  return remember(cudaErrorUnsupportedLimit);
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
  cache_config = config;
  return enter();
}
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache* config) {
  if (config == nullptr) return remember(cudaErrorInvalidValue);
  *config = cache_config;
  return enter();
}
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig) {
  return enter();
}
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig* config) {
  if (config == nullptr) return remember(cudaErrorInvalidValue);
  *config = cudaSharedMemBankSizeFourByte;
  return enter();
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
  if (leastPriority != nullptr) *leastPriority = 0;
  if (greatestPriority != nullptr) *greatestPriority = -5;
  return enter();
}

cudaError_t cudaDeviceCanAccessPeer(int* canAccessPeer, int device, int peerDevice) {
  if (canAccessPeer == nullptr) return remember(cudaErrorInvalidValue);
  *canAccessPeer = 0;
  if (const cudaError_t error = check_device(device); error != cudaSuccess) return error;
  return check_device(peerDevice);
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) {
  return remember(cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceDisablePeerAccess(int) {
  return remember(cudaErrorInvalidDevice);
}

cudaError_t cudaRuntimeGetVersion(int* runtimeVersion) {
  if (runtimeVersion == nullptr) return remember(cudaErrorInvalidValue);
  *runtimeVersion = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* driverVersion) {
  if (driverVersion == nullptr) return remember(cudaErrorInvalidValue);
  *driverVersion = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaProfilerStart(void) {
  return cudaSuccess;
}
cudaError_t cudaProfilerStop(void) {
  return cudaSuccess;
}
}
