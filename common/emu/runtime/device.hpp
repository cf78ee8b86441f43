// The emulated device: a row of the table of profiles, chosen with CUEMU_DEVICE.
#pragma once

#include <cstddef>

#include "driver_types.h"

namespace cuemu {

/// Properties of one GPU that programs can read and that limit launches.
struct DeviceProfile {
  const char* key;  ///< value of CUEMU_DEVICE
  const char* name;
  int major, minor;
  int multiprocessors;
  std::size_t memory;            ///< bytes
  std::size_t shared_per_block;  ///< bytes, without opt-in
  std::size_t shared_per_block_optin;
  std::size_t shared_per_multiprocessor;
  std::size_t shared_reserved;  ///< bytes of each block that the system reserves
  int registers_per_block;
  int registers_per_multiprocessor;
  int threads_per_block;
  int threads_per_multiprocessor;
  int blocks_per_multiprocessor;
  int max_grid_x;
  int clock_khz;
  int memory_clock_khz;
  int memory_bus_bits;
  int l2_bytes;
  int double_ratio;  ///< how many times slower double precision is than single
};

/// The selected profile. An unknown name in CUEMU_DEVICE ends the program with a list of the known names.
const DeviceProfile& device_profile();

cudaDeviceProp device_properties();
/// One property by its cudaDeviceGetAttribute number; 0 for features that the emulation lacks.
int device_attribute(const cudaDeviceProp& properties, cudaDeviceAttr attribute);

/// Number of emulated devices, all of the same profile: CUEMU_DEVICES, or 1.
constexpr int most_devices = 16;
int device_count();
/// The calling host thread's device; in a kernel, the device that runs it.
int current_device();
void set_current_device(int device);
/// Sets the device of host threads that have selected none.
void set_first_device(int device);

}  // namespace cuemu
