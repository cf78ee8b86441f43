// The device that is emulated: a row of the table of profiles, chosen with CUEMU_DEVICE.
#pragma once

#include <cstddef>

#include "driver_types.h"

namespace cuemu {

/// Facts of one GPU that programs can ask for and that limit launches.
struct DeviceProfile {
  const char* key;  ///< what CUEMU_DEVICE says
  const char* name;
  int major, minor;
  int multiprocessors;
  std::size_t memory;            ///< bytes
  std::size_t shared_per_block;  ///< bytes, without opt-in
  std::size_t shared_per_block_optin;
  std::size_t shared_per_multiprocessor;
  std::size_t shared_reserved;  ///< bytes of each block that the system takes
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
  int double_ratio;  ///< how many times slower double precision is
};

/// The profile in force.
/// An unknown name in CUEMU_DEVICE ends the program with a list of those that are known.
const DeviceProfile& device_profile();

cudaDeviceProp device_properties();
/// One of them as cudaDeviceGetAttribute tells it; 0 for what a GPU may have and the emulation has not.
int device_attribute(const cudaDeviceProp& properties, cudaDeviceAttr attribute);

/// Emulated devices, all of the same profile: CUEMU_DEVICES, or one.
constexpr int most_devices = 16;
int device_count();
/// The calling host thread's device; in a kernel, the one that the kernel runs on.
int current_device();
void set_current_device(int device);
/// The device of host threads that have chosen none.
void set_first_device(int device);

}  // namespace cuemu
