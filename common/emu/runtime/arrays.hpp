// Arrays: memory with a format, addressed by element.
#pragma once

#include "copy.hpp"
#include "driver_types.h"

/// The memory of a cudaArray_t. Rows follow each other without gaps.
struct cudaArray {
  cudaChannelFormatDesc desc;
  cudaExtent extent;  ///< in elements, as the caller specified; 0 for dimensions that the array does not have
  unsigned flags;
  unsigned char* data;
  std::size_t element;  ///< bytes

  std::size_t width() const { return extent.width; }
  std::size_t height() const { return extent.height == 0 ? 1 : extent.height; }
  std::size_t depth() const { return extent.depth == 0 ? 1 : extent.depth; }
  std::size_t pitch() const { return width() * element; }
  std::size_t bytes() const { return pitch() * height() * depth(); }
};

namespace cuemu {

/// Registers an array when it is created or destroyed, so that is_array() can find array handles for the checker.
void add_array(const cudaArray* array);
void remove_array(const cudaArray* array);

/// Returns the address of a box's first byte in an array; `x` in bytes.
Place place_in(const cudaArray& array, std::size_t x, std::size_t y, std::size_t z);
/// Returns the address of a box's first byte in pitched memory.
Place place_in(const cudaPitchedPtr& memory, const cudaPos& at);
/// Returns whether the box lies in the array; `x` in bytes.
bool fits(const cudaArray& array, std::size_t x, std::size_t y, std::size_t z, const Box& box);
/// Computes the box that cudaMemcpy3D copies. If one end is an array, elements are converted to bytes.
cudaError_t boxes_of(const cudaMemcpy3DParms& p, Place& to, Place& from, Box& box);

}  // namespace cuemu
