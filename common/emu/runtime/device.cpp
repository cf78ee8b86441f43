#include "device.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <string>

#include "report.hpp"

namespace cuemu {

namespace {

using cuda_lab_profile::devices;
constexpr std::size_t kib = 1024;
constexpr std::size_t mib = 1024 * kib;

const DeviceProfile& choose() {
  const char* const wish = std::getenv("CUEMU_DEVICE");
  if (wish == nullptr || *wish == '\0') return devices[0];
  std::string known;
  for (const DeviceProfile& profile : devices) {
    if (std::strcmp(profile.key, wish) == 0) return profile;
    known += std::string(known.empty() ? "" : ", ") + profile.key;
  }
  fatal(("CUEMU_DEVICE=" + std::string(wish) + " is not a device that can be emulated; set it to one of " +
         known)
            .c_str());
}

}  // namespace

const DeviceProfile& device_profile() {
  static const DeviceProfile& profile = choose();
  return profile;
}

namespace {

/// Sets the limits of textures; every profile has the limits of the newest GPU.
void set_texture_limits(cudaDeviceProp& prop) {
  const auto set = [](auto& values, std::initializer_list<int> list) {
    std::copy(list.begin(), list.end(), std::begin(values));
  };
  prop.surfaceAlignment = 512;
  prop.maxTexture1D = 131072;
  prop.maxTexture1DMipmap = 32768;
  prop.maxTexture1DLinear = 268435456;
  set(prop.maxTexture2D, {131072, 65536});
  set(prop.maxTexture2DMipmap, {32768, 32768});
  set(prop.maxTexture2DLinear, {131072, 65000, 2097120});
  set(prop.maxTexture2DGather, {32768, 32768});
  set(prop.maxTexture3D, {16384, 16384, 16384});
  set(prop.maxTexture3DAlt, {8192, 8192, 32768});
  prop.maxTextureCubemap = 32768;
  set(prop.maxTexture1DLayered, {32768, 2048});
  set(prop.maxTexture2DLayered, {32768, 32768, 2048});
  set(prop.maxTextureCubemapLayered, {32768, 2046});
  prop.maxSurface1D = 32768;
  set(prop.maxSurface2D, {131072, 65536});
  set(prop.maxSurface3D, {16384, 16384, 16384});
  set(prop.maxSurface1DLayered, {32768, 2048});
  set(prop.maxSurface2DLayered, {32768, 32768, 2048});
  prop.maxSurfaceCubemap = 32768;
  set(prop.maxSurfaceCubemapLayered, {32768, 2046});
}

}  // namespace

cudaDeviceProp device_properties() {
  const DeviceProfile& profile = device_profile();
  cudaDeviceProp prop{};
  std::snprintf(prop.name, sizeof prop.name, "%s", profile.name);
  std::memcpy(prop.uuid.bytes, "cuda-lab-kit-emu", sizeof prop.uuid.bytes);
  prop.totalGlobalMem = profile.memory;
  prop.sharedMemPerBlock = profile.shared_per_block;
  prop.regsPerBlock = profile.registers_per_block;
  prop.warpSize = 32;
  prop.memPitch = 2147483647;
  prop.maxThreadsPerBlock = profile.threads_per_block;
  prop.maxThreadsDim[0] = prop.maxThreadsDim[1] = profile.threads_per_block;
  prop.maxThreadsDim[2] = 64;
  prop.maxGridSize[0] = profile.max_grid_x;
  prop.maxGridSize[1] = 65535;
  prop.maxGridSize[2] = profile.major >= 2 ? 65535 : 1;
  prop.totalConstMem = 64 * kib;
  prop.major = profile.major;
  prop.minor = profile.minor;
  prop.textureAlignment = 512;
  prop.texturePitchAlignment = 32;
  prop.multiProcessorCount = profile.multiprocessors;
  prop.canMapHostMemory = 1;
  prop.concurrentKernels = profile.major >= 2;
  prop.ECCEnabled = profile.major >= 8;
  prop.asyncEngineCount = profile.major >= 7 ? 3 : profile.major >= 2 ? 2 : 1;
  prop.unifiedAddressing = profile.major >= 2;
  prop.memoryBusWidth = profile.memory_bus_bits;
  prop.l2CacheSize = profile.l2_bytes;
  if (profile.major >= 8) {  // the ratio of an H100
    prop.persistingL2CacheMaxSize = static_cast<int>(profile.l2_bytes * std::int64_t{5} / 8);
    prop.accessPolicyMaxWindowSize = 128 * static_cast<int>(mib);
  }
  prop.maxThreadsPerMultiProcessor = profile.threads_per_multiprocessor;
  prop.streamPrioritiesSupported = profile.major * 10 + profile.minor >= 35;
  prop.globalL1CacheSupported = prop.localL1CacheSupported = profile.major >= 2;
  prop.sharedMemPerMultiprocessor = profile.shared_per_multiprocessor;
  prop.regsPerMultiprocessor = profile.registers_per_multiprocessor;
  prop.managedMemory = profile.major >= 3;
  prop.concurrentManagedAccess = profile.major >= 6;
  prop.computePreemptionSupported = profile.major >= 6;
  prop.canUseHostPointerForRegisteredMem = profile.major >= 6;
  prop.cooperativeLaunch = profile.major >= 6;
  prop.sharedMemPerBlockOptin = profile.shared_per_block_optin;
  prop.maxBlocksPerMultiProcessor = profile.blocks_per_multiprocessor;
  prop.reservedSharedMemPerBlock = profile.shared_reserved;
  prop.hostRegisterSupported = 1;
  prop.memoryPoolsSupported = profile.major >= 3;
  prop.clusterLaunch = profile.major >= 9;
  prop.unifiedFunctionPointers = 1;
  prop.hostNumaId = -1;
  prop.deviceNumaId = -1;
  prop.clockRate = profile.clock_khz;
  prop.memoryClockRate = profile.memory_clock_khz;
  prop.deviceOverlap = 1;
  prop.singleToDoublePrecisionPerfRatio = profile.double_ratio;
  set_texture_limits(prop);
  return prop;
}

namespace {
constexpr int none_chosen = -1;
thread_local int device_of_thread = none_chosen;
std::atomic<int> first_device{0};
}  // namespace

int device_count() {
  static const int count = [] {
    const char* const wish = std::getenv("CUEMU_DEVICES");
    if (wish == nullptr || *wish == '\0') return 1;
    const int number = std::atoi(wish);
    if (number < 1 || number > most_devices)
      fatal(("CUEMU_DEVICES=" + std::string(wish) + " is not a number of devices from 1 to 16").c_str());
    return number;
  }();
  return count;
}

int current_device() {
  return device_of_thread != none_chosen ? device_of_thread : first_device.load(std::memory_order_relaxed);
}
void set_current_device(int device) {
  device_of_thread = device;
}
void set_first_device(int device) {
  first_device = device;
}

}  // namespace cuemu
