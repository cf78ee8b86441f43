// The limits of cudaDeviceSetLimit.
#pragma once

#include <cstddef>

namespace cuemu {

/// Bytes that device code may take with malloc and new.
std::size_t heap_limit();
/// Back to what a program finds at its start.
void reset_limits();

}  // namespace cuemu
