// What a CUtensorMap holds: a tensor in global memory and the box of it that one bulk copy moves.
//
// cuTensorMapEncodeTiled (runtime/driver.cpp) writes it and the copies of bulk_copy.hpp read it. On a GPU the 128 bytes
// are opaque as well, so their layout is our own; programs copy them about as bytes.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace cuemu {

/// How the 16-byte pieces of a tile in shared memory are permuted, by the names of CU_TENSOR_MAP_SWIZZLE_….
enum class Swizzle : uint8_t { none, bytes_32, bytes_64, bytes_128 };

/// Bits of the address that take part: the row's number within the pattern is added (xor) to that of the piece.
inline constexpr unsigned swizzle_bits(const Swizzle swizzle) {
  return static_cast<unsigned>(swizzle);
}
/// Bytes after which a row of the pattern ends.
inline constexpr unsigned swizzle_span(const Swizzle swizzle) {
  return 16u << swizzle_bits(swizzle);
}
/// Where the byte at `address` of the tile lies: the bits from 4 on, xor those from 7 on.
inline uint64_t swizzled(const uint64_t address, const Swizzle swizzle) {
  return address ^ (address >> 7 & ((1u << swizzle_bits(swizzle)) - 1)) << 4;
}

/// Types of elements, by the values of CU_TENSOR_MAP_DATA_TYPE_….
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

/// The first dimension is the one whose elements are neighbours.
struct TensorMap {
  static constexpr uint32_t kMagic = 0x70616d74u;

  uint64_t address;
  uint64_t size[most_tensor_dimensions];        ///< elements
  uint64_t stride[most_tensor_dimensions - 1];  ///< bytes, from the second dimension on
  uint16_t box[most_tensor_dimensions];         ///< elements that are passed over, 1 to 256
  uint8_t step[most_tensor_dimensions];         ///< every which of them is moved, 1 to 8; neighbours all are
  uint8_t dimensions;                           ///< 1 to 5
  TensorType type;
  Swizzle swizzle;
  bool fills_nan;  ///< what lies outside becomes a NaN rather than zero
  uint32_t magic;  ///< kMagic
};
static_assert(sizeof(TensorMap) <= 128, "a CUtensorMap has 128 bytes");

}  // namespace cuemu
