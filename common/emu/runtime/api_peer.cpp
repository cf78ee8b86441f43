// The runtime API's functions for peers. All emulated devices can access each other's memory; enabling access only
// changes the results of these functions.
#include <mutex>

#include "cuda_runtime_api.h"
#include "device.hpp"
#include "errors.hpp"
#include "peers.hpp"

namespace cuemu {

namespace {
std::mutex mutex;
bool enabled[most_devices][most_devices] = {};

bool exists(int device) {
  return device >= 0 && device < device_count();
}
}  // namespace

void forget_peers(int device) {
  const std::lock_guard<std::mutex> lock(mutex);
  for (int other = 0; other < most_devices; ++other) enabled[device][other] = enabled[other][device] = false;
}

}  // namespace cuemu

using namespace cuemu;

extern "C" {

cudaError_t cudaDeviceCanAccessPeer(int* canAccessPeer, int device, int peerDevice) {
  if (canAccessPeer == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (!exists(device) || !exists(peerDevice)) return remember(cudaErrorInvalidDevice);
  *canAccessPeer = device != peerDevice ? 1 : 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (!exists(peerDevice) || peerDevice == current_device()) return remember(cudaErrorInvalidDevice);
  if (flags != 0) return remember(cudaErrorInvalidValue);
  const std::lock_guard<std::mutex> lock(mutex);
  bool& access = enabled[current_device()][peerDevice];
  if (access) return remember(cudaErrorPeerAccessAlreadyEnabled);
  access = true;
  return cudaSuccess;
}

cudaError_t cudaDeviceDisablePeerAccess(int peerDevice) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (!exists(peerDevice)) return remember(cudaErrorInvalidDevice);
  const std::lock_guard<std::mutex> lock(mutex);
  bool& access = enabled[current_device()][peerDevice];
  if (!access) return remember(cudaErrorPeerAccessNotEnabled);
  access = false;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, enum cudaDeviceP2PAttr attr, int srcDevice, int dstDevice) {
  if (value == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (!exists(srcDevice) || !exists(dstDevice) || srcDevice == dstDevice)
    return remember(cudaErrorInvalidDevice);
  if (attr < cudaDevP2PAttrPerformanceRank || attr > cudaDevP2PAttrCudaArrayAccessSupported)
    return remember(cudaErrorInvalidValue);
  *value = attr == cudaDevP2PAttrPerformanceRank || attr == cudaDevP2PAttrCudaArrayAccessSupported ? 0 : 1;
  return cudaSuccess;
}
}
