// The runtime API's functions for devices, limits and versions, and the start and the end of the runtime itself.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "capture.hpp"
#include "clock.hpp"
#include "cuda_runtime.h"
#include "device.hpp"
#include "errors.hpp"
#include "event.hpp"
#include "faults.hpp"
#include "heap.hpp"
#include "limits.hpp"
#include "memory.hpp"
#include "peers.hpp"
#include "pool.hpp"
#include "print.hpp"
#include "profile.hpp"
#include "runtime.hpp"
#include "stream.hpp"
#include "symbols.hpp"

namespace cuemu {

namespace {
void end_runtime() {
  if (in_kernel()) return;  // a kernel called exit(), so the runtime can't wait for work
  wait_for_all_devices();
  lose_device_output();
  end_profile();
}
}  // namespace

extern "C" {
// emucc links guard.cpp, which defines this variable, into programs only.
extern const std::size_t cuemu_guard_bytes __attribute__((weak, visibility("hidden")));
extern unsigned char cuemu_guard[] __attribute__((weak, visibility("hidden")));
}

namespace {
void close_guard() {
  if (&cuemu_guard_bytes == nullptr || static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) != cuemu_guard_bytes)
    return;
  mprotect(cuemu_guard, cuemu_guard_bytes, PROT_NONE);
}
}  // namespace

void start_runtime() {
  static const bool started = [] {
    install_fault_handlers();
    close_guard();
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
cudaFuncCache cache_config = cudaFuncCachePreferNone;

cudaError_t check_device(int device) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  return remember(device >= 0 && device < device_count() ? cudaSuccess : cudaErrorInvalidDevice);
}
}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  if (count == nullptr) return remember(cudaErrorInvalidValue);
  *count = device_count();
  return enter();
}

cudaError_t cudaGetDevice(int* device) {
  if (device == nullptr) return remember(cudaErrorInvalidValue);
  *device = current_device();
  return enter();
}

cudaError_t cudaSetDevice(int device) {
  start_runtime();
  if (device < 0 || device >= device_count()) return remember(cudaErrorInvalidDevice);
  set_current_device(device);
  return remember(context_error());
}
cudaError_t cudaSetValidDevices(int* device_arr, int len) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (len < 0 || len > device_count() || (len > 0 && device_arr == nullptr))
    return remember(cudaErrorInvalidValue);
  for (int i = 0; i < len; ++i)
    if (device_arr[i] < 0 || device_arr[i] >= device_count()) return remember(cudaErrorInvalidDevice);
  set_first_device(len > 0 ? device_arr[0] : 0);
  return cudaSuccess;
}
cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) {
  return check_device(device);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp* prop, int device) {
  if (prop == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = check_device(device); error != cudaSuccess) return error;
  *prop = device_properties();
  prop->pciBusID = device + 1;
  prop->uuid.bytes[15] = static_cast<char>(prop->uuid.bytes[15] + device);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, enum cudaDeviceAttr attr, int device) {
  if (value == nullptr) return remember(cudaErrorInvalidValue);
  cudaDeviceProp prop{};
  if (const cudaError_t error = cudaGetDeviceProperties(&prop, device); error != cudaSuccess) return error;
  if (static_cast<int>(attr) < 1 || attr >= cudaDevAttrMax) return remember(cudaErrorInvalidValue);
  *value = device_attribute(prop, attr);
  return cudaSuccess;
}

cudaError_t cudaChooseDevice(int* device, const struct cudaDeviceProp* prop) {
  if (device == nullptr || prop == nullptr) return remember(cudaErrorInvalidValue);
  return cudaGetDevice(device);
}

cudaError_t cudaDeviceGetPCIBusId(char* pciBusId, int len, int device) {
  if (pciBusId == nullptr || len < 13) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = check_device(device); error != cudaSuccess) return error;
  std::snprintf(pciBusId, static_cast<std::size_t>(len), "0000:%02X:00.0", device + 1);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* pciBusId) {
  if (device == nullptr || pciBusId == nullptr) return remember(cudaErrorInvalidValue);
  unsigned domain = 0, bus = 0, slot = 0;
  if (std::sscanf(pciBusId, "%x:%x:%x", &domain, &bus, &slot) != 3 || domain != 0 || slot != 0 || bus == 0 ||
      bus > static_cast<unsigned>(device_count()))
    return remember(cudaErrorInvalidDevice);
  *device = static_cast<int>(bus) - 1;
  return enter();
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
  if (in_kernel())
    stop_kernel(
        cudaErrorUnsupportedDevSideSync,
        "cudaDeviceSynchronize() in kernels was removed with CUDA 12: launch what needs the children's "
        "results into cudaStreamTailLaunch");
  start_runtime();
  if (const cudaError_t error = check_unsafe_call(); error != cudaSuccess) return remember(error);
  wait_for_device(current_device());
  trim_pools();
  flush_device_output();
  return remember(observe_context());
}

cudaError_t cudaThreadSynchronize(void) {
  return cudaDeviceSynchronize();
}

cudaError_t cudaDeviceReset(void) {
  const cudaError_t error = cudaDeviceSynchronize();
  if (error == cudaErrorStreamCaptureUnsupported) return error;
  const int device = current_device();
  destroy_streams(device);
  destroy_events(device);
  forget_peers(device);
  reset_limits();
  release_all(device);
  forget_heap();
  if (device_count() == 1) reset_variables();  // several devices would need a copy each
  return error;
}

cudaError_t cudaThreadExit(void) {
  return cudaDeviceReset();
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
