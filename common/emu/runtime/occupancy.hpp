// The number of a kernel's blocks that a multiprocessor of the emulated device can hold, and the resource that limits
// this number.
#pragma once

#include <cstddef>

#include "../../profile/src/occupancy.hpp"
#include "device.hpp"

namespace cuemu {

using Occupancy = cuda_lab_profile::Occupancy;

/// Every emulated kernel uses 32 registers per thread.
inline constexpr int registers_per_thread = 32;

/// @param threads of a block, > 0
/// @param shared bytes of a block, static and dynamic
Occupancy occupancy(const DeviceProfile& device, int threads, std::size_t shared);

}  // namespace cuemu
