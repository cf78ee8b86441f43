// The emulated device: a row of the table of profiles, chosen with CUEMU_DEVICE.
#pragma once

#include <cstddef>

#include "../../profile/src/devices.hpp"
#include "driver_types.h"

namespace cuemu {

using DeviceProfile = cuda_lab_profile::Device;

/// Returns the selected profile. An unknown name in CUEMU_DEVICE ends the program with a list of the known names.
const DeviceProfile& device_profile();

cudaDeviceProp device_properties();
/// Returns a property by its cudaDeviceGetAttribute number; 0 for features that are not emulated.
int device_attribute(const cudaDeviceProp& properties, cudaDeviceAttr attribute);

/// The maximum number of emulated devices. CUEMU_DEVICES sets the number, 1 by default; all have the same profile.
constexpr int most_devices = 16;
int device_count();
/// Returns the calling host thread's device; in a kernel, the device that runs it.
int current_device();
void set_current_device(int device);
/// Sets the device of host threads that have not selected a device.
void set_first_device(int device);

}  // namespace cuemu
