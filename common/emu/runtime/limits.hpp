// The limits of cudaDeviceSetLimit.
#pragma once

#include <cstddef>

namespace cuemu {

/// Bytes that device code may take with malloc and new.
std::size_t heap_limit();
/// Restores the limits of a program's start.
void reset_limits();

}  // namespace cuemu
