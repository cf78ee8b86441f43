// Elements of the tensor cores' matrices as bits, and the places of the elements that a sparse matrix stores.
#pragma once

#include "cuemu/ptx/warp.hpp"

namespace cuemu::ptx {

template <class T, class... Others>
inline constexpr bool is_one_of = (std::is_same_v<T, Others> || ...);

struct tf32 {};
struct e4m3 {};
struct e5m2 {};
struct s4 {};
struct u4 {};
/// 32 neighbouring elements of one bit. They form one word in memory and in registers, and are multiplied together: the
/// product is the number of bits that are set in both words (.and.popc), or in exactly one word (.xor.popc).
struct b1_and {};
struct b1_xor {};
template <class T>
inline constexpr bool is_bits = is_one_of<T, b1_and, b1_xor>;

/// Bits and bytes of an element of a matrix.
template <class T>
inline constexpr u32 element_bits = is_one_of<T, f64>                    ? 64
                                    : is_one_of<T, tf32, b1_and, b1_xor> ? 32
                                    : is_one_of<T, e4m3, e5m2, s8, u8>   ? 8
                                    : is_one_of<T, s4, u4>               ? 4
                                                                         : 16;
template <class T>
inline constexpr u32 element_bytes = element_bits<T> / 8;

/// The word that a register holds, and the number of its elements.
template <class T>
using ElementWord = std::conditional_t<std::is_same_v<T, f64>, u64, u32>;
template <class T>
inline constexpr int elements_of_word = static_cast<int>(8 * sizeof(ElementWord<T>) / element_bits<T>);

/// Converts bits to a number, or to 32 bits for elements of one bit. Bits above the element are ignored.
template <class T>
inline auto number(const ElementWord<T> bits) {
  if constexpr (std::is_same_v<T, e5m2>)  // the bits are the upper byte of a half
    return cuemu::detail::decode(Binary16(), static_cast<u16>(bits << 8));
  else if constexpr (std::is_same_v<T, e4m3>)  // a half whose exponent is smaller by 8
    return (bits & 0x7fu) == 0x7fu
               ? bit_cast<f32>(0x7fffffffu)
               : 256.0f * cuemu::detail::decode(Binary16(),
                                                static_cast<u16>((bits & 0x80u) << 8 | (bits & 0x7fu) << 7));
  else if constexpr (std::is_same_v<T, tf32>)
    return bit_cast<f32>(bits & 0xffffe000u);
  else if constexpr (std::is_same_v<T, f64>)
    return bit_cast<f64>(bits);
  else if constexpr (is_bits<T>)
    return bits;
  else if constexpr (std::is_same_v<T, s4>)
    return static_cast<s32>(bits << 28) >> 28;
  else if constexpr (std::is_same_v<T, u4>)
    return static_cast<s32>(bits & 15u);
  else if constexpr (std::is_integral_v<T>)
    return static_cast<s32>(static_cast<T>(bits));
  else
    return source<T>(static_cast<u16>(bits));
}
/// Returns the element `index` of a register.
template <class T>
inline auto element(const ElementWord<T> word, const int index) {
  return number<T>(word >> static_cast<int>(element_bits<T>) * index);
}

/// Whether products of these elements are summed as integers.
template <class T>
inline constexpr bool is_integer_element = std::is_integral_v<T> || is_bits<T> || is_one_of<T, s4, u4>;
/// Returns the product of two elements, which is added to a sum. The product of integers is a word, because their sums
/// wrap.
template <class A, class Number>
inline auto product(const Number a, const Number b) {
  if constexpr (is_bits<A>)
    return static_cast<u32>(__builtin_popcount(std::is_same_v<A, b1_and> ? a & b : a ^ b));
  else if constexpr (is_integer_element<A>)
    return static_cast<u32>(a * b);
  else
    return static_cast<double>(a * b);
}

/// The order of the two elements that four bits of a sparse matrix's metadata select.
enum class Metadata {
  any_order,  ///< no order
  ordered     ///< the earlier element comes first (.sp::ordered_metadata)
};
/// The places of the stored elements of a sparse matrix A. Four bits of metadata (a nibble) describe a chunk of 8
/// bytes, or of 4 bytes for elements of at most one byte. The nibble selects two of the chunk's four parts; its low
/// bits select the first one. A part is an element, a pair of 4-bit elements, or half of a tf32. Four neighbouring
/// lanes have the rows g and g + 8; the selector says whether one, two or all four of them hold the metadata of these
/// rows. (PTX ISA, "Sparse matrix storage"; figures of the metadata in "Matrix fragments for multiply-accumulate
/// operation with sparse matrix A" and in the section of that name for warpgroups.)
struct Sparsity {
  u32 metadata;
  int selector;

  template <class T>
  static constexpr bool is_small = element_bits<T> <= 8;
  /// The number of a chunk's elements, and how many of four lanes hold metadata of a row. The row has `K` elements,
  /// zeros included.
  template <class T>
  static constexpr int chunk = static_cast<int>((is_small<T> ? 32 : 64) / element_bits<T>);
  template <class T, int K>
  static constexpr int lanes = K / chunk<T> / 4;

  /// The lane that holds the nibble, and the position of the nibble's lowest bit.
  struct Place {
    unsigned lane, shift;
  };
  template <class T, int K>
  static Place place(const unsigned row, const unsigned at, const int selector) {
    const unsigned first = row % 8 * 4 + static_cast<unsigned>(selector * lanes<T, K>);
    if constexpr (is_small<T>)  // a lane has 8 chunks of a row
      return {first + row / 8 + at / 8 * 2, at % 8 * 4};
    else  // a lane has 4 chunks of both rows
      return {first + at / 4, row / 8 * 16 + at % 4 * 4};
  }
  /// Returns the column of the stored element `stored` in the whole row, from the nibble of its chunk.
  template <class T>
  static unsigned column(const unsigned nibble, const unsigned stored, const Metadata known) {
    if constexpr (element_bits<T> == 32) {
      if (nibble != 0b0100 && nibble != 0b1110)
        stop_kernel(cuemu::detail::kLaunchFailure,
                    "the metadata of a sparse matrix of tf32 has nibbles other than 0100 and 1110");
      return 2 * stored + (nibble >> 3);
    } else {
      if (nibble % 4 == nibble / 4)
        stop_kernel(cuemu::detail::kLaunchFailure, "the metadata of a sparse matrix names an element twice");
      if (known == Metadata::ordered && nibble % 4 > nibble / 4)
        stop_kernel(cuemu::detail::kLaunchFailure,
                    "the metadata of a sparse matrix is to be ordered, and names a later element before an "
                    "earlier one");
      constexpr unsigned part = static_cast<unsigned>(chunk<T>) / 4;
      return stored / (2 * part) * (4 * part) + (nibble >> stored / part % 2 * 2 & 3) * part + stored % part;
    }
  }
  template <class T, int K>
  void check_selector() const {
    constexpr int most = 4 / lanes<T, K> - 1;
    if (selector >= 0 && selector <= most) return;
    char text[128];
    __builtin_snprintf(text, sizeof text,
                       "the sparsity selector is one from 0 to %d for this shape and type, and is %d", most,
                       selector);
    stop_kernel(cuemu::detail::kLaunchFailure, text);
  }
};

/// Finds the column of each stored element in 16 rows of A from a warp's metadata. If A is not sparse, it is the stored
/// column.
template <class Call, class T, int K, bool is_sparse>
struct StoredPlaces {
  static constexpr int depth = is_sparse ? K / 2 : K;
  StoredPlaces(const Participants& warp, const Metadata known) {
    if constexpr (is_sparse)
      for (unsigned row = 0; row < 16; ++row)
        for (unsigned k = 0; k < static_cast<unsigned>(depth); ++k) {
          const auto metadata_at = Sparsity::place<T, K>(
              row, k * 2 / static_cast<unsigned>(Sparsity::chunk<T>), warp.call<Call>(0).sparsity.selector);
          const u32 word = warp.call<Call>(metadata_at.lane).sparsity.metadata;
          of_row[row][k] = static_cast<u8>(Sparsity::column<T>(word >> metadata_at.shift & 15, k, known));
        }
  }
  int at(const int row, const int k) const { return is_sparse ? of_row[row][k] : k; }

 private:
  u8 of_row[is_sparse ? 16 : 1][depth] = {};
};

}  // namespace cuemu::ptx
