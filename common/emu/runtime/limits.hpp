// The limits of cudaDeviceSetLimit.
#pragma once

#include <cstddef>

namespace cuemu {

/// Returns the number of bytes that device code may allocate with malloc and new.
std::size_t heap_limit();
/// Restores the limits that apply at a program's start.
void reset_limits();

}  // namespace cuemu
