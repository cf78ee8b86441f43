// Formats of elements of arrays and textures.
#pragma once

#include <cstddef>

#include "driver_types.h"

namespace cuemu {

/// Returns the bytes of an element; 0 if CUDA has no such format.
std::size_t element_bytes(const cudaChannelFormatDesc& desc);

}  // namespace cuemu
