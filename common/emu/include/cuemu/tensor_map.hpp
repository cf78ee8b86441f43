// The contents of a CUtensorMap: a tensor in global memory and the part of it that one bulk copy moves. The part is a
// box or, for convolutions (im2col), a column of pixels, that is, a number of consecutive pixels of the images' rows,
// across all images.
//
// cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col (runtime/driver.cpp) write a map, kernels change it
// (tensormap.replace), and the copies of bulk_copy.hpp read it. On a GPU the 128 bytes are opaque, so this layout is
// specific to the emulation. Programs copy maps as bytes, or create maps of zeros and replace their fields one after
// the other.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace cuemu {

/// How the 16-byte pieces of a tile are permuted in shared memory. CUDA names these values CU_TENSOR_MAP_SWIZZLE_….
enum class Swizzle : uint8_t { none, bytes_32, bytes_64, bytes_128 };

/// Returns the number of address bits that the permutation changes. The row's number in the pattern is xored into these
/// bits.
inline constexpr unsigned swizzle_bits(const Swizzle swizzle) {
  return static_cast<unsigned>(swizzle);
}
/// Returns the number of bytes after which a row of the pattern ends.
inline constexpr unsigned swizzle_span(const Swizzle swizzle) {
  return 16u << swizzle_bits(swizzle);
}
/// Returns the swizzled position of the byte at `address` of the tile: bits 7 and up are xored into bits 4 and up.
inline uint64_t swizzled(const uint64_t address, const Swizzle swizzle) {
  return address ^ (address >> 7 & ((1u << swizzle_bits(swizzle)) - 1)) << 4;
}

/// The layout of channels in global memory, with the values of CU_TENSOR_MAP_INTERLEAVE_…. An interleaved tensor has
/// slices of channels: a pixel's channels in a slice are one piece of 16 or 32 bytes for every element type, and the
/// pixels of a row are consecutive. So the first dimension counts the pixels of a row, the second-last the slices, and
/// the last the images.
enum class Interleave : uint8_t { none, bytes_16, bytes_32 };
/// Returns the size in bytes of a pixel in a slice.
inline constexpr unsigned slice_bytes(const Interleave interleave) {
  return interleave == Interleave::bytes_32 ? 32 : 16;
}

/// Types of elements, with the values of CU_TENSOR_MAP_DATA_TYPE_….
enum class TensorType : uint8_t { u8, u16, u32, s32, u64, s64, f16, f32, f64, bf16, f32_ftz, tf32, tf32_ftz };
inline constexpr unsigned bytes_of(const TensorType type) {
  switch (type) {
    case TensorType::u8:
      return 1;
    case TensorType::u16:
    case TensorType::f16:
    case TensorType::bf16:
      return 2;
    case TensorType::u64:
    case TensorType::s64:
    case TensorType::f64:
      return 8;
    default:
      return 4;
  }
}

inline constexpr unsigned most_tensor_dimensions = 5;
/// The maximum number of dimensions of an image: width, height and depth. The first dimension of the tensor counts
/// channels, and the last counts images.
inline constexpr unsigned most_image_dimensions = most_tensor_dimensions - 2;

/// The elements of the first dimension are contiguous; in an interleaved tensor the first dimension is a row's
/// pixels.
struct TensorMap {
  static constexpr uint32_t kMagic = 0x70616d74u;

  uint64_t address;
  uint64_t size[most_tensor_dimensions];        ///< elements
  uint64_t stride[most_tensor_dimensions - 1];  ///< bytes, from the second dimension on
  uint16_t box[most_tensor_dimensions];         ///< elements that are traversed, 1 to 256
  uint8_t step[most_tensor_dimensions];  ///< step between moved elements, 1 to 8; unused for contiguous ones
  uint8_t dimensions;                    ///< 1 to 5
  TensorType type;
  Swizzle swizzle;
  bool fills_nan : 1;  ///< elements outside the tensor become NaN instead of zero
  bool is_im2col : 1;  ///< `box` contains the channels of a pixel and the pixels of a column, up to 1024
  Interleave interleave;
  /// For an im2col map: the bounds of the box in which a filter's corner moves, in width, height and depth, counted
  /// from the image's first and last element.
  int32_t lower[most_image_dimensions], upper[most_image_dimensions];
  uint32_t magic;  ///< kMagic
};
inline constexpr unsigned tensor_map_bytes = 128;
static_assert(sizeof(TensorMap) <= tensor_map_bytes, "a CUtensorMap has 128 bytes");

/// Converts a number to a narrow member. A number that is too large remains invalid, so that tensor_map_mistake finds
/// it.
template <typename Member>
inline constexpr auto narrowed(const uint64_t value) {
  constexpr auto most = static_cast<Member>(~Member{0});
  return value < most ? static_cast<Member>(value) : most;
}

/// Returns the number of the dimension that contains a row's pixels, in a tensor of images.
inline constexpr unsigned width_dimension(const TensorMap& map) {
  return map.interleave == Interleave::none ? 1 : 0;
}

/// Returns the number of bits of a coordinate in `lower` and `upper`, and of an offset from the filter's corner.
inline constexpr unsigned corner_bits(const unsigned dimensions) {
  return dimensions == 3 ? 16 : dimensions == 4 ? 8 : 5;
}

/// Returns the error that prevents copies from using `map`: a wrong value given to the encoder or to tensormap.replace.
/// Null if there is no error. @pre the map's magic is right
inline constexpr const char* tensor_map_mistake(const TensorMap& map) {
  constexpr uint64_t most_elements = uint64_t{1} << 32, most_stride = uint64_t{1} << 40;
  if (map.dimensions < 1 || map.dimensions > most_tensor_dimensions) return "its rank is not from 1 to 5";
  if (map.is_im2col && map.dimensions < 3) return "it is a map of images, and its rank is not from 3 to 5";
  if (map.interleave != Interleave::none && map.dimensions < 3)
    return "it is interleaved, and its rank is not from 3 to 5";
  if (map.address % 16 != 0) return "its tensor's address is no multiple of 16";
  if (map.address % slice_bytes(map.interleave) != 0)
    return "it is interleaved by 32 bytes, and its tensor's address is no multiple of 32";
  for (unsigned d = 0; d < map.dimensions; ++d) {
    if (map.size[d] == 0 || map.size[d] > most_elements)
      return "the size of a dimension of its tensor is not from 1 to 2^32";
    if (!map.is_im2col && (map.box[d] == 0 || map.box[d] > 256))
      return "the size of a dimension of its box is not from 1 to 256";
    // All contiguous elements are copied, so their step has no effect.
    if ((d > 0 || map.interleave != Interleave::none) && (map.step[d] == 0 || map.step[d] > 8))
      return "one of its element strides is not from 1 to 8";
    if (d > 0 && (map.stride[d - 1] % 16 != 0 || map.stride[d - 1] >= most_stride))
      return "one of its strides is no multiple of 16 bytes, or 2^40 and more";
    if (d > 0 && map.stride[d - 1] % slice_bytes(map.interleave) != 0)
      return "it is interleaved by 32 bytes, and one of its strides is no multiple of 32 bytes";
  }
  if (map.is_im2col) {
    if (map.box[0] == 0 || map.box[0] > 256)
      return "the number of channels of its pixels is not from 1 to 256";
    if (map.box[1] == 0 || map.box[1] > 1024)
      return "the number of pixels of its columns is not from 1 to 1024";
    const int32_t most = 1 << (corner_bits(map.dimensions) - 1);
    for (unsigned d = 0; d + 2 < map.dimensions; ++d) {
      if (map.lower[d] < -most || map.lower[d] >= most || map.upper[d] < -most || map.upper[d] >= most)
        return "a corner of its box is too far from the image's";
      if (static_cast<int64_t>(map.size[d + width_dimension(map)]) + map.upper[d] <= map.lower[d])
        return "its box is empty";
    }
  }
  if (map.interleave == Interleave::none) {
    const uint64_t row = uint64_t{map.box[0]} * bytes_of(map.type);
    if (row % 16 != 0) return "a row of its box is no multiple of 16 bytes";
    if (map.swizzle != Swizzle::none && row > swizzle_span(map.swizzle))
      return "a row of its box is longer than the swizzle's pattern";
  }
  if (map.fills_nan && map.type < TensorType::f16) return "it fills integers with NaNs";
  return nullptr;
}

}  // namespace cuemu
