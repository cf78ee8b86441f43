// Bulk copies between global and shared memory, of plain bytes and of tensor tiles (TMA): PTX's cp.async.bulk and
// cp.reduce.async.bulk, also used by cuda::device and by the extra cuda::ptx.
//
// One thread copies a whole piece of memory. On a GPU the copy runs asynchronously. Here it is complete when the call
// returns, which is one of the orders that a GPU may choose. Its bytes are counted at the barrier that signals its
// completion. So a program that expects another number of bytes waits forever, as on a GPU.
#pragma once

#include "cuemu/async_barrier.hpp"
#include "cuemu/atomics.hpp"
#include "cuemu/tensor_map.hpp"
#include "cuemu/thread.hpp"
#include "cuemu/tiny_float.hpp"

namespace cuemu::bulk {

using Barrier = ::cuda::barrier<::cuda::thread_scope_block>;

/// The operation that combines copied values with the destination's values.
enum class Reduction : uint8_t { add, min, max, inc, dec, and_, or_, xor_ };

/// The position of an element of a tensor in each dimension. Positions below zero and beyond the end are outside the
/// tensor.
struct Coordinates {
  template <typename... Numbers>
  explicit Coordinates(const unsigned count_, const Numbers... numbers)
      : at{static_cast<int32_t>(numbers)...}, count(count_) {}
  int32_t at[most_tensor_dimensions];
  unsigned count;
  /// True if the instruction copies columns of pixels, whose positions are all shifted by the offset in width, height
  /// and depth.
  bool is_im2col = false;
  int32_t offset[most_image_dimensions] = {};
};

namespace detail {

constexpr int kLaunchFailure = 719, kMisalignedAddress = 716, kIllegalInstruction = 715;

inline void check_alignment(const uint64_t address, const unsigned alignment, const char* const what) {
  if (__builtin_expect(address % alignment == 0, 1)) return;
  char text[160];
  __builtin_snprintf(text, sizeof text, "%s must be a multiple of %u, and is 0x%llx", what, alignment,
                     static_cast<unsigned long long>(address));
  stop_kernel(kMisalignedAddress, text);
}
inline void check_plain(const void* const to, const void* const from, const uint32_t bytes) {
  check_alignment(reinterpret_cast<uint64_t>(to), 16, "a bulk copy's destination");
  check_alignment(reinterpret_cast<uint64_t>(from), 16, "a bulk copy's source");
  check_alignment(bytes, 16, "a bulk copy's number of bytes");
}

template <Reduction how, typename T>
inline void reduce_element(T* const at, const T x) {
  using Unsigned = std::conditional_t<sizeof(T) == 8, unsigned long long, uint32_t>;
  namespace of = ::cuemu::detail;
  if constexpr (how == Reduction::add) {
    if constexpr (std::is_integral_v<T>)  // a wrapped sum is the same for signed numbers
      of::atomic_add(reinterpret_cast<Unsigned*>(at), static_cast<Unsigned>(x));
    else
      of::atomic_add(at, x);
  } else if constexpr (how == Reduction::min && std::is_integral_v<T>) {
    of::atomic_min(at, x);
  } else if constexpr (how == Reduction::max && std::is_integral_v<T>) {
    of::atomic_max(at, x);
  } else if constexpr (std::is_integral_v<T>) {
    const auto bits = static_cast<Unsigned>(x);
    auto* const words = reinterpret_cast<Unsigned*>(at);
    if constexpr (how == Reduction::and_)
      of::atomic_and(words, bits);
    else if constexpr (how == Reduction::or_)
      of::atomic_or(words, bits);
    else if constexpr (how == Reduction::xor_)
      of::atomic_xor(words, bits);
    else if constexpr (sizeof(T) == 4 && how == Reduction::inc)
      of::atomic_increment(words, bits);
    else if constexpr (sizeof(T) == 4 && how == Reduction::dec)
      of::atomic_decrement(words, bits);
    else
      stop_kernel(kLaunchFailure, "a bulk reduction by inc or dec needs elements of 32 bits");
  } else {
    stop_kernel(kLaunchFailure, "a bulk reduction of reals supports only add");
  }
}
/// Reduces 16-bit floating-point numbers by a compare-and-swap of their bits.
template <Reduction how, typename Format>
inline void reduce_half(uint16_t* const at, const uint16_t bits) {
  using ::cuemu::detail::decode;
  using ::cuemu::detail::encode;
  uint16_t old = __atomic_load_n(at, __ATOMIC_RELAXED);
  for (;;) {
    const float a = decode(Format(), old), b = decode(Format(), bits);
    uint16_t sum = 0;
    if constexpr (how == Reduction::add)
      sum = encode<Format>(static_cast<double>(a) + static_cast<double>(b));
    else if constexpr (how == Reduction::min)
      sum = b < a ? bits : old;
    else if constexpr (how == Reduction::max)
      sum = b > a ? bits : old;
    else
      stop_kernel(kLaunchFailure, "a bulk reduction of halves supports only add, min and max");
    if (__atomic_compare_exchange_n(at, &old, sum, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
  }
}

template <Reduction how, typename T>
inline void reduce_all(void* const to, const void* const from, const unsigned bytes) {
  for (unsigned i = 0; i < bytes / sizeof(T); ++i)
    reduce_element<how>(static_cast<T*>(to) + i, static_cast<const T*>(from)[i]);
}
template <Reduction how, typename Format>
inline void reduce_halves(void* const to, const void* const from, const unsigned bytes) {
  for (unsigned i = 0; i < bytes / 2; ++i)
    reduce_half<how, Format>(static_cast<uint16_t*>(to) + i, static_cast<const uint16_t*>(from)[i]);
}

/// Calls `act(rank)` for each block of a multicast.
template <typename Act>
inline auto for_each_block(const uint16_t blocks, const Act act) {
  for (unsigned rest = blocks; rest != 0; rest &= rest - 1) act(static_cast<unsigned>(__builtin_ctz(rest)));
}
/// Returns the address in block `rank` of the cluster that corresponds to a position in the calling thread's shared
/// memory.
template <typename T>
inline auto in_block(T* const address, const unsigned rank) {
  return static_cast<T*>(map_shared_rank(address, rank));
}

/// Stops the kernel if the map or the addresses are invalid, so that no tile can be copied.
inline void check_tile(const TensorMap& map, const Coordinates& place, const void* const tile) {
  if (map.magic != TensorMap::kMagic)
    stop_kernel(
        kLaunchFailure,
        "this is no tensor map: cuTensorMapEncodeTiled or cuTensorMapEncodeIm2col makes it, and it is "
        "passed to the kernel as a const __grid_constant__ parameter");
  if (const char* const mistake = tensor_map_mistake(map); __builtin_expect(mistake != nullptr, 0)) {
    char text[160];
    __builtin_snprintf(text, sizeof text, "no tile can be copied by this tensor map: %s", mistake);
    stop_kernel(kIllegalInstruction, text);
  }
  if (map.is_im2col != place.is_im2col)
    stop_kernel(kIllegalInstruction,
                map.is_im2col ? "a tensor map that cuTensorMapEncodeIm2col made is used by an instruction "
                                "without .im2col or .im2col_no_offs"
                              : "an instruction with .im2col or .im2col_no_offs uses a tensor map that "
                                "cuTensorMapEncodeIm2col did not make");
  if (map.dimensions != place.count) {
    char text[128];
    __builtin_snprintf(text, sizeof text, "a tensor map of %u dimensions is used with %u coordinates",
                       static_cast<unsigned>(map.dimensions), place.count);
    stop_kernel(kLaunchFailure, text);
  }
  check_alignment(reinterpret_cast<uint64_t>(tile), 128, "the address of a tile in shared memory");
  if (map.interleave == Interleave::none &&
      place.at[0] * static_cast<int64_t>(bytes_of(map.type)) % 16 != 0)  // as an H200 requires
    stop_kernel(kIllegalInstruction,
                "a tile's first coordinate must lie at a multiple of 16 bytes from the beginning of the "
                "tensor's row");
}

/// Calls `act(row, its address in global memory, whether it is inside the tensor)` for each row of a box.
template <typename Act>
auto for_each_row_of_box(const TensorMap& map, const Coordinates& place, const Act act) {
  uint32_t count[most_tensor_dimensions] = {1, 1, 1, 1, 1};
  for (unsigned d = 1; d < map.dimensions; ++d) count[d] = (map.box[d] + map.step[d] - 1u) / map.step[d];
  const uint32_t rows = count[1] * count[2] * count[3] * count[4];
  for (uint32_t row = 0; row < rows; ++row) {
    bool inside = true;
    uint64_t line = map.address;
    for (unsigned d = 1, rest = row; d < map.dimensions; rest /= count[d++]) {
      const int64_t at = place.at[d] + static_cast<int64_t>(rest % count[d]) * map.step[d];
      inside = inside && at >= 0 && static_cast<uint64_t>(at) < map.size[d];
      line += static_cast<uint64_t>(at) * map.stride[d - 1];
    }
    act(row, line, inside);
  }
  return rows;
}

constexpr const char* const kStoreBelowZero =
    "a tile that is stored or reduced must not have a coordinate below zero";
/// Calls `act` for each pixel of a column. Beginning at `place`, a filter's corner moves through its box in the images,
/// row by row and image by image; the pixel is `place.offset` away from the corner. An H200 refuses stores wherever the
/// box extends beyond the images. The pixels of interleaved tensors are all in one slice, which may be outside the
/// tensor.
template <typename Act>
auto for_each_pixel(const TensorMap& map, const Coordinates& place, const bool stores, const Act act) {
  const unsigned width = width_dimension(map),
                 images = map.dimensions - 1u;       // the dimension that counts the images
  const unsigned end = width + map.dimensions - 2u;  // after the dimensions of an image
  int64_t at[most_tensor_dimensions], first[most_tensor_dimensions] = {}, last[most_tensor_dimensions] = {};
  for (unsigned d = width; d <= images; ++d) at[d] = place.at[d];
  for (unsigned d = width, i = 0; d < end; ++d, ++i) {
    first[d] = map.lower[i];
    last[d] = static_cast<int64_t>(map.size[d]) - 1 + map.upper[i];
    if (stores && (map.lower[i] < 0 || map.upper[i] > 0))
      stop_kernel(kIllegalInstruction,
                  "what is stored or reduced by a tensor map of images needs a bounding box that lies inside "
                  "of them");
    if (at[d] < first[d] || at[d] > last[d])
      stop_kernel(kIllegalInstruction,
                  "the coordinates of a copy with .im2col must lie inside of the tensor map's bounding box");
    if (place.offset[i] < 0 || place.offset[i] >> corner_bits(map.dimensions) != 0) {
      char text[128];
      __builtin_snprintf(text, sizeof text, "an offset of .im2col must be one from 0 to %d, and is %d",
                         (1 << corner_bits(map.dimensions)) - 1, place.offset[i]);
      stop_kernel(kIllegalInstruction, text);
    }
  }
  if (stores && place.at[images] < 0) stop_kernel(kIllegalInstruction, kStoreBelowZero);
  for (uint32_t pixel = 0; pixel < map.box[1]; ++pixel) {
    bool inside = true;
    uint64_t line = map.address;
    for (unsigned d = width; d <= images; ++d) {
      const int64_t here = at[d] + (d < end ? place.offset[d - width] : 0);
      inside = inside && here >= 0 && static_cast<uint64_t>(here) < map.size[d];
      line += static_cast<uint64_t>(here) * (d == 0 ? slice_bytes(map.interleave) : map.stride[d - 1]);
    }
    act(pixel, line, inside);
    unsigned d = width;
    for (; d < end; ++d) {
      at[d] += map.step[d];
      if (at[d] <= last[d]) break;
      at[d] = first[d];
    }
    if (d == end) at[images] += map.step[images];
  }
  return map.box[1];
}
/// Calls `act` for each pixel of a box of an interleaved tensor. The box is a single slice: its number of slices and
/// their step are ignored, as on an H100.
template <typename Act>
auto for_each_pixel_of_box(const TensorMap& map, const Coordinates& place, const Act act) {
  const unsigned slices = map.dimensions - 2u;
  uint32_t count[most_tensor_dimensions] = {1, 1, 1, 1, 1};
  for (unsigned d = 0; d < map.dimensions; ++d)
    if (d != slices) count[d] = (map.box[d] + map.step[d] - 1u) / map.step[d];
  const uint32_t pixels = count[0] * count[1] * count[2] * count[3] * count[4];
  for (uint32_t pixel = 0; pixel < pixels; ++pixel) {
    bool inside = true;
    uint64_t from = map.address;
    for (unsigned d = 0, rest = pixel; d < map.dimensions; rest /= count[d++]) {
      const int64_t at = place.at[d] + static_cast<int64_t>(rest % count[d]) * map.step[d];
      inside = inside && at >= 0 && static_cast<uint64_t>(at) < map.size[d];
      from += static_cast<uint64_t>(at) * (d == 0 ? slice_bytes(map.interleave) : map.stride[d - 1]);
    }
    act(pixel, from, inside);
  }
  return pixels;
}

/// Copies the box, or the column of pixels, of an interleaved tensor. It copies one slice pixel by pixel, and the
/// pixels are dense in shared memory. The number of channels of a column's pixels is ignored, as on an H100.
template <typename Move, typename Outside>
auto for_each_piece_of_slice(const TensorMap& map, const Coordinates& place, const uint64_t tile,
                             const bool stores, const Move move, const Outside outside) {
  const unsigned pixel_bytes = slice_bytes(map.interleave);
  const auto move_pixel = [&](const uint32_t pixel, const uint64_t in_global, const bool inside) {
    for (uint32_t byte = 0; byte < pixel_bytes; byte += 16) {  // the pieces that swizzle patterns permute
      void* const in_tile =
          reinterpret_cast<void*>(swizzled(tile + uint64_t{pixel} * pixel_bytes + byte, map.swizzle));
      if (inside)
        move(in_tile, reinterpret_cast<void*>(in_global + byte), 16);
      else
        outside(in_tile, 16);
    }
  };
  return pixel_bytes * (map.is_im2col ? for_each_pixel(map, place, stores, move_pixel)
                                      : for_each_pixel_of_box(map, place, move_pixel));
}

/// Copies the tile at `place`, row by row or pixel by pixel. Calls `move(in shared memory, in global memory, bytes)`
/// for the part inside the tensor, and `outside(in shared memory, bytes)` for the rest. Returns the tile's size in
/// bytes.
template <typename Move, typename Outside>
auto for_each_piece(const TensorMap& map, const Coordinates& place, const void* const tile, const bool stores,
                    const Move move, const Outside outside) {
  check_tile(map, place, tile);
  const auto begin = reinterpret_cast<uint64_t>(tile);
  if (map.interleave != Interleave::none)
    return for_each_piece_of_slice(map, place, begin, stores, move, outside);
  const uint32_t element = bytes_of(map.type), count = map.box[0];
  // A row shorter than the pattern is padded to its length.
  const uint32_t row_bytes = count * element, span = swizzle_span(map.swizzle);
  const uint32_t pitch = map.swizzle != Swizzle::none && row_bytes < span ? span : row_bytes;

  const auto move_row = [&](const uint32_t row, const uint64_t line, const bool inside) {
    const auto is_inside = [&](const uint32_t i) {
      const int64_t at = place.at[0] + static_cast<int64_t>(i);
      return inside && at >= 0 && static_cast<uint64_t>(at) < map.size[0];
    };
    // Neighbours within one piece of the pattern are copied together. They are all inside or all outside the tensor.
    const uint32_t longest = map.swizzle == Swizzle::none ? count : 16 / element;
    for (uint32_t i = 0; i < count;) {
      const bool here = is_inside(i);
      uint32_t end = i + 1;
      const uint32_t most = i / longest * longest + longest;
      while (end < count && end < most && is_inside(end) == here) ++end;
      const uint64_t to = swizzled(begin + row * uint64_t{pitch} + i * element, map.swizzle);
      const uint32_t bytes = (end - i) * element;
      if (here)
        move(reinterpret_cast<void*>(to),
             reinterpret_cast<void*>(line + static_cast<uint64_t>(place.at[0] + int64_t{i}) * element),
             bytes);
      else
        outside(reinterpret_cast<void*>(to), bytes);
      i = end;
    }
  };
  return row_bytes * (map.is_im2col ? for_each_pixel(map, place, stores, move_row)
                                    : for_each_row_of_box(map, place, move_row));
}

inline const TensorMap& map_at(const void* const map) {
  check_alignment(reinterpret_cast<uint64_t>(map), 64, "the address of a tensor map");
  return *static_cast<const TensorMap*>(map);
}

/// Stops a kernel whose store begins before the tensor. As on an H200, a store may end after the tensor.
inline void check_store(const Coordinates& place) {
  for (unsigned d = 0; d < place.count; ++d)
    if (place.at[d] < 0) stop_kernel(kIllegalInstruction, kStoreBelowZero);
}

/// Writes the value of positions outside the tensor: zeros, or NaNs, which consist of the same 16 bits in all types.
inline void fill(const TensorMap& map, void* const to, const uint32_t bytes) {
  ::cuemu::detail::zero_bytes(to, bytes);
  if (!map.fills_nan) return;
  for (uint32_t i = 0; i < bytes / 2; ++i) static_cast<uint16_t*>(to)[i] = 0x7ff7;
}

}  // namespace detail

/// \name Plain copies. All sizes and addresses are multiples of 16.
/// @{
/// The copying thread waits for completion in batches.
inline void copy(void* const to, const void* const from, const uint32_t bytes) {
  const Uninterrupted whole(*current_fiber);
  detail::check_plain(to, from, bytes);
  ::cuemu::detail::copy_bytes(to, from, bytes);
}
/// The barrier signals completion.
inline void copy(void* const to, const void* const from, const uint32_t bytes, Barrier& barrier) {
  copy(to, from, bytes);
  barrier.complete_bytes(bytes);
}
/// Copies to the same position in each block of the cluster whose bit is set; that block's barrier signals completion.
inline void copy(void* const to, const void* const from, const uint32_t bytes, Barrier& barrier,
                 const uint16_t blocks) {
  detail::for_each_block(blocks, [&](const unsigned rank) {
    copy(detail::in_block(to, rank), from, bytes, *detail::in_block(&barrier, rank));
  });
}
/// Applies `how` (add, …) element by element.
template <Reduction how, typename T>
inline void reduce(void* const to, const void* const from, const uint32_t bytes) {
  const Uninterrupted whole(*current_fiber);
  detail::check_plain(to, from, bytes);
  if constexpr (std::is_same_v<T, ::cuemu::Binary16> || std::is_same_v<T, ::cuemu::Bfloat16>)
    detail::reduce_halves<how, T>(to, from, bytes);
  else
    detail::reduce_all<how, T>(to, from, bytes);
}
template <Reduction how, typename T>
inline void reduce(void* const to, const void* const from, const uint32_t bytes, Barrier& barrier) {
  reduce<how, T>(to, from, bytes);
  barrier.complete_bytes(bytes);
}
/// @}

/// \name Tiles. The number of coordinates is the number of the tensor's dimensions. The functions are not inlined,
/// since a copy costs far more than a call.
/// @{
__attribute__((noinline)) inline void load_tile(void* const tile, const void* const map,
                                                const Coordinates& place, Barrier& barrier) {
  const Uninterrupted whole(*current_fiber);
  const TensorMap& tensor = detail::map_at(map);
  barrier.complete_bytes(
      detail::for_each_piece(tensor, place, tile, false, ::cuemu::detail::copy_bytes,
                             [&](void* const to, const uint32_t bytes) { detail::fill(tensor, to, bytes); }));
}
inline void load_tile(void* const tile, const void* const map, const Coordinates& place, Barrier& barrier,
                      const uint16_t blocks) {
  detail::for_each_block(blocks, [&](const unsigned rank) {
    load_tile(detail::in_block(tile, rank), map, place, *detail::in_block(&barrier, rank));
  });
}
/// Elements outside the tensor are not written.
__attribute__((noinline)) inline void store_tile(const void* const map, const Coordinates& place,
                                                 const void* const tile) {
  const Uninterrupted whole(*current_fiber);
  detail::check_store(place);
  detail::for_each_piece(
      detail::map_at(map), place, tile, true,
      [](const void* const from, void* const to, const uint32_t bytes) {
        ::cuemu::detail::copy_bytes(to, from, bytes);
      },
      [](void*, uint32_t) {});
}
template <Reduction how>
__attribute__((noinline)) void reduce_tile(const void* const map, const Coordinates& place,
                                           const void* const tile) {
  const Uninterrupted whole(*current_fiber);
  detail::check_store(place);
  const TensorMap& tensor = detail::map_at(map);
  detail::for_each_piece(
      tensor, place, tile, true,
      [&](const void* const from, void* const to, const uint32_t bytes) {
        switch (tensor.type) {
          case TensorType::u32:
            return detail::reduce_all<how, uint32_t>(to, from, bytes);
          case TensorType::s32:
            return detail::reduce_all<how, int32_t>(to, from, bytes);
          case TensorType::u64:
            return detail::reduce_all<how, unsigned long long>(to, from, bytes);
          case TensorType::s64:
            return detail::reduce_all<how, long long>(to, from, bytes);
          case TensorType::f32:
          case TensorType::f32_ftz:
            return detail::reduce_all<how, float>(to, from, bytes);
          case TensorType::f64:
            return detail::reduce_all<how, double>(to, from, bytes);
          case TensorType::f16:
            return detail::reduce_halves<how, ::cuemu::Binary16>(to, from, bytes);
          case TensorType::bf16:
            return detail::reduce_halves<how, ::cuemu::Bfloat16>(to, from, bytes);
          default:
            stop_kernel(detail::kLaunchFailure,
                        "a reduction by a tensor map needs elements of 32 or 64 bits, or halves");
        }
      },
      [](void*, uint32_t) {});
}
/// @}

/// \name Changes of tensor maps by kernels
/// @{
/// The fields that tensormap.replace may change, with the names of PTX.
enum class MapField : uint8_t {
  global_address,
  rank,
  box_dim,
  global_dim,
  global_stride,
  element_stride,
  elemtype,
  interleave_layout,
  swizzle_mode,
  swizzle_atomicity,
  fill_mode
};

namespace detail {
/// Converts the number of a type in tensormap.replace, which orders floating-point types differently from the host's
/// encoder.
inline TensorType element_type(const uint64_t number) {
  constexpr TensorType reals[] = {TensorType::f16,  TensorType::f32,  TensorType::f32_ftz, TensorType::f64,
                                  TensorType::bf16, TensorType::tf32, TensorType::tf32_ftz};
  constexpr uint64_t first = static_cast<uint64_t>(TensorType::f16);
  if (number < first) return static_cast<TensorType>(number);
  if (number - first >= sizeof reals / sizeof reals[0])
    stop_kernel(kLaunchFailure, "tensormap.replace: tensors of 4- and 6-bit numbers are not emulated");
  return reals[number - first];
}
inline bool is_zero(const TensorMap& map) {
  const char* const bytes = reinterpret_cast<const char*>(&map);
  for (unsigned i = 0; i < sizeof map; ++i)
    if (bytes[i] != 0) return false;
  return true;
}
}  // namespace detail

/// Changes one field of the map; `dimension` selects one of several values. If the map consists of zeros, its other
/// fields must still be set afterwards. Fields are checked when a tile is copied, since a field may depend on another
/// field that is set later.
__attribute__((noinline)) inline void replace_field(void* const at, const MapField field,
                                                    const uint32_t dimension, const uint64_t value) {
  const Uninterrupted whole(*current_fiber);
  detail::check_alignment(reinterpret_cast<uint64_t>(at), 64, "the address of a tensor map");
  TensorMap& map = *static_cast<TensorMap*>(at);
  if (map.magic == TensorMap::kMagic && map.is_im2col && field != MapField::global_address)
    stop_kernel(
        detail::kLaunchFailure,
        "of a tensor map that cuTensorMapEncodeIm2col made, tensormap.replace changes the address alone");
  if (map.magic != TensorMap::kMagic) {
    if (!detail::is_zero(map))
      stop_kernel(detail::kLaunchFailure,
                  "tensormap.replace changes something that is no tensor map: copy one there that "
                  "cuTensorMapEncodeTiled made, or zeros, before its fields are replaced");
    map.magic = TensorMap::kMagic;
    map.step[0] = 1;
  }
  const auto check = [&](const bool emulated, const char* const what) {
    if (!emulated) stop_kernel(detail::kLaunchFailure, what);
  };
  const unsigned dimensions = most_tensor_dimensions - (field == MapField::global_stride ? 1 : 0);
  check(dimension < dimensions, "tensormap.replace: a tensor map has 5 dimensions, from 0 on, and 4 strides");
  switch (field) {
    case MapField::global_address:
      map.address = value;
      break;
    case MapField::rank:  // counted from zero
      map.dimensions = narrowed<uint8_t>(value + 1);
      break;
    case MapField::box_dim:
      map.box[dimension] = narrowed<uint16_t>(value);
      break;
    case MapField::global_dim:
      map.size[dimension] = value;
      break;
    case MapField::global_stride:
      map.stride[dimension] = value;
      break;
    case MapField::element_stride:
      map.step[dimension] = narrowed<uint8_t>(value);
      break;
    case MapField::elemtype:
      map.type = detail::element_type(value);
      break;
    case MapField::interleave_layout:
      check(value <= static_cast<uint64_t>(Interleave::bytes_32),
            "tensormap.replace: of interleaved layouts those of 16 and 32 bytes are emulated");
      check(value != 0 || map.interleave == Interleave::none,
            "tensormap.replace: how an interleaved tensor map becomes a plain one is not known");
      map.interleave = static_cast<Interleave>(value);
      break;
    case MapField::swizzle_mode:
      check(value <= static_cast<uint64_t>(Swizzle::bytes_128),
            "tensormap.replace: of swizzles those of 32, 64 and 128 bytes are emulated");
      map.swizzle = static_cast<Swizzle>(value);
      break;
    case MapField::swizzle_atomicity:
      check(value == 0, "tensormap.replace: of swizzles' atoms those of 16 bytes are emulated");
      break;
    case MapField::fill_mode:
      map.fills_nan = value != 0;
      break;
  }
}
/// @}

}  // namespace cuemu::bulk
