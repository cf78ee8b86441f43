// The objects to which handles of textures and surfaces refer, as kernels see them.
#pragma once

#include <cstddef>

#include "texture_types.h"

namespace cuemu {

/// The memory of a texture or a surface, with its format.
struct TextureMemory {
  unsigned char* data;
  cudaChannelFormatDesc desc;
  int channels;
  std::size_t element;  ///< bytes
  std::size_t pitch;    ///< bytes of a row
  std::size_t slice;    ///< bytes of a layer or slice
  int width, height, depth;
};

/// The object of a texture or surface. Its handle is the address of this structure.
struct TextureState {
  unsigned magic;  ///< `texture_magic` while kernels may use it
  bool is_surface;
  TextureMemory memory;
  cudaTextureDesc description;
  cudaResourceDesc resource;
  cudaResourceViewDesc view{};  ///< zeros: no view
  bool destroyed = false;       ///< invalid for the host; kernels that were queued earlier still use it
};
inline constexpr unsigned texture_magic = 0x7e47c0deu;

}  // namespace cuemu
