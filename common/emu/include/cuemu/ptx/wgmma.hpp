// PTX of the tensor cores for warpgroups: wgmma.mma_async, D = A B + D with A of 64 rows, B of N columns and 32 bytes of
// each row of A. With .sp half of A's elements are zeros that are not stored, so that B is twice as deep.
//
// Four warps make the call, and each computes its own 16 rows from its part of A and all of B as soon as its lanes have come;
// that is one of the orders that a GPU may choose, so there is nothing to wait for. Within a warp the registers of A are those
// of mma.sync, and those of D are its accumulators, one after another for each 8 columns (matrix.hpp).
//
// Matrices in shared memory are named by descriptors of 64 bits (PTX ISA, "Matrix descriptor"; the layouts are those that
// CUTLASS calls canonical). In units of 16 bytes, with S the stride and L the leading dimension's byte offset:
//
//   K-major    row r, piece c of it       (r % 8) pattern + (r / 8) S + c % pattern + (c / pattern) L
//   MN-major   piece p of 8 rows, depth k  (p % pattern) + (p / pattern) L + (k % 8) pattern + (k / 8) S
//              without a pattern           p S + (k % 8) + (k / 8) L
//
// where `pattern` is 2, 4 or 8 pieces for swizzles of 32, 64 and 128 bytes, and 1 without. The address is swizzled at the end.
#pragma once

#include "cuemu/ptx/matrix.hpp"
#include "cuemu/tensor_map.hpp"

namespace cuemu::ptx {

struct e4m3 {};
struct e5m2 {};

/// Bytes of an element of a matrix.
template <class T>
inline constexpr u32 element_bytes = 2;
template <>
inline constexpr u32 element_bytes<tf32> = 4;
template <>
inline constexpr u32 element_bytes<e4m3> = 1;
template <>
inline constexpr u32 element_bytes<e5m2> = 1;
template <>
inline constexpr u32 element_bytes<s8> = 1;
template <>
inline constexpr u32 element_bytes<u8> = 1;

/// The element whose bits these are, as what products are computed in.
template <class T>
inline auto number(const u32 bits) {
  if constexpr (std::is_same_v<T, e5m2>)  // the upper byte of a half
    return cuemu::detail::decode(Binary16(), static_cast<u16>(bits << 8));
  else if constexpr (std::is_same_v<T, e4m3>)  // a half whose exponent is less by 8
    return (bits & 0x7fu) == 0x7fu
               ? bit_cast<f32>(0x7fffffffu)
               : 256.0f * cuemu::detail::decode(Binary16(),
                                                static_cast<u16>((bits & 0x80u) << 8 | (bits & 0x7fu) << 7));
  else if constexpr (std::is_integral_v<T>)
    return static_cast<s32>(static_cast<T>(bits));
  else
    return static_cast<f32>(element<T>(bits, 0));
}

/// A matrix in shared memory.
class MatrixDescriptor {
 public:
  explicit MatrixDescriptor(const u64 bits)
      : start_(shared_address((bits & 0x3fff) << 4)),
        leading_((bits >> 16 & 0x3fff) << 4),
        stride_((bits >> 32 & 0x3fff) << 4),
        swizzle_(static_cast<Swizzle>((4 - (bits >> 62)) % 4)) {
    if ((bits >> 49 & 7) != 0)
      stop_kernel(
          cuemu::detail::kLaunchFailure,
          "wgmma: matrix descriptors with a base offset are not emulated; align the tile to 1024 bytes");
  }
  /// The bits of an element, by its row of A (or column of B) and its depth.
  template <class T>
  u32 at(const bool transposed, const u32 row, const u32 depth) const {
    constexpr u32 size = element_bytes<T>;
    const u32 span = swizzle_span(swizzle_);  // 16 without a pattern
    u64 offset = 0;
    if (!transposed) {
      const u32 piece = depth * size / 16;
      const u32 pieces = span / 16;  // beyond the pattern's there are more where B of a sparse A is deep
      offset = row % 8 * span + row / 8 * stride_ + piece % pieces * 16 + piece / pieces * leading_ +
               depth * size % 16;
    } else if (swizzle_ == Swizzle::none) {
      offset = row / 8 * stride_ + depth % 8 * 16 + depth / 8 * leading_ + row % 8 * size;
    } else {
      const u32 piece = row / 8, pieces = span / 16;
      offset = piece % pieces * 16 + piece / pieces * leading_ + depth % 8 * span + depth / 8 * stride_ +
               row % 8 * size;
    }
    Unsigned<std::conditional_t<size == 1, u8, std::conditional_t<size == 2, u16, u32>>> bits;
    __builtin_memcpy(&bits, reinterpret_cast<const void*>(swizzled(start_ + offset, swizzle_)), size);
    return bits;
  }

 private:
  u64 start_, leading_, stride_;
  Swizzle swizzle_;
};

/// Which elements of A are stored: those of 16 rows are told by a warp's 32 words of metadata (PTX ISA, "Matrix fragments for
/// warpgroup-level multiply-accumulate operation with sparse matrix A"). A nibble tells of a chunk of 8 bytes (of 4 for
/// elements of one byte), in which it names two of four parts, the first in its low bits: two elements, or, of tf32, the
/// halves of one.
struct WgmmaSparsity {
  u32 metadata;
  int selector;  ///< of elements of 2 and 4 bytes: whether lanes 0 and 1 of four tell it, or 2 and 3

  /// The lane that has the nibble, and how far up.
  struct Place {
    unsigned lane, shift;
  };
  template <class T>
  static Place place(const unsigned row, const unsigned chunk, const int selector) {
    if constexpr (element_bytes<T> == 1)
      return {row % 8 * 4 + row / 8 + chunk / 8 * 2, chunk % 8 * 4};
    else
      return {row % 8 * 4 + static_cast<unsigned>(selector) * 2 + chunk / 4, row / 8 * 16 + chunk % 4 * 4};
  }
  /// Where stored element `column` of a row stands in the row, given the nibble of its chunk.
  template <class T>
  static unsigned column(const unsigned nibble, const unsigned stored) {
    if constexpr (element_bytes<T> == 4) {
      if (nibble != 0b0100 && nibble != 0b1110)
        stop_kernel(cuemu::detail::kLaunchFailure,
                    "wgmma: the metadata of a sparse matrix of tf32 has nibbles other than 0100 and 1110");
      return 2 * stored + (nibble >> 3);
    } else {
      if (nibble % 4 == nibble / 4)
        stop_kernel(cuemu::detail::kLaunchFailure,
                    "wgmma: the metadata of a sparse matrix names an element twice");
      return stored / 2 * 4 + (nibble >> stored % 2 * 2 & 3);
    }
  }
};

/// What stands behind the operands.
struct WgmmaFlags {
  bool accumulates;           ///< D is added to, rather than written
  bool negates_a, negates_b;  ///< imm-scale
  bool transposes_a, transposes_b;
};
/// A: registers, or a matrix in shared memory.
struct WgmmaA {
  template <class... Words>
  explicit WgmmaA(std::integral_constant<bool, true>, const Words&... all)
      : in_registers(true), words{get<u32>(all)...} {}
  explicit WgmmaA(std::integral_constant<bool, false>, const u64 matrix_)
      : in_registers(false), matrix(matrix_) {}
  bool in_registers;
  u32 words[4] = {};
  u64 matrix = 0;
};

template <int N, class A, class B, class D, bool is_sparse>
struct WgmmaCall : Call {
  const WgmmaA* a;
  u64 b;
  WgmmaSparsity sparsity;
  WgmmaFlags flags;
  void* const* d;  ///< the lane's registers

  static constexpr int depth = static_cast<int>(32 / element_bytes<A>);  ///< of A as it is stored
  static constexpr int depth_of_b = is_sparse ? 2 * depth : depth;
  static constexpr int words = std::is_same_v<D, f16> ? N / 4 : N / 2;
  using Number = decltype(number<A>(0));
  using Sum = std::conditional_t<std::is_same_v<D, s32>, s32, double>;

  /// Where element (row, column) stands: the lane, the register and the part of it.
  struct Place {
    Place(const int row, const int column)
        : lane(static_cast<unsigned>(row % 8 * 4 + column % 8 / 2)),
          index(std::is_same_v<D, f16> ? column / 8 * 2 + row / 8
                                       : column / 8 * 4 + row / 8 * 2 + column % 2),
          half(column % 2) {}
    unsigned lane;
    int index, half;
  };
  static Sum load(const Participants& warp, const Place& place) {
    u32 word;
    __builtin_memcpy(&word, warp.call<WgmmaCall>(place.lane).d[place.index], 4);
    if constexpr (std::is_same_v<D, f16>)
      return element<f16>(word, place.half);
    else if constexpr (std::is_same_v<D, s32>)
      return static_cast<s32>(word);
    else
      return static_cast<double>(bit_cast<f32>(word));
  }
  static void store(const Participants& warp, const Place& place, const Sum sum) {
    void* const to = warp.call<WgmmaCall>(place.lane).d[place.index];
    if constexpr (std::is_same_v<D, f16>) {
      const u16 bits = cuemu::detail::encode<Binary16>(sum);
      __builtin_memcpy(static_cast<char*>(to) + 2 * place.half, &bits, 2);
    } else {
      const auto value = static_cast<std::conditional_t<std::is_same_v<D, s32>, s32, f32>>(sum);
      __builtin_memcpy(to, &value, 4);
    }
  }

  static void serve(const Participants& warp, const unsigned first_row) {
    const WgmmaCall& first = warp.call<WgmmaCall>(0);
    const WgmmaFlags flags = first.flags;
    Number left[16][depth], right[depth_of_b][8];
    if (first.a->in_registers) {
      constexpr int e = static_cast<int>(4 / element_bytes<A>);
      for (unsigned lane = 0; lane < 32; ++lane)
        for (int i = 0; i < 4; ++i)
          for (int j = 0; j < e; ++j) {
            const int column = e * static_cast<int>(lane % 4) + 4 * e * (i / 2) + j;
            left[static_cast<int>(lane / 4) + 8 * (i % 2)][column] =
                number<A>(warp.call<WgmmaCall>(lane).a->words[i] >> (32 / e * j));
          }
    } else {
      const MatrixDescriptor a(first.a->matrix);
      for (unsigned row = 0; row < 16; ++row)
        for (unsigned k = 0; k < static_cast<unsigned>(depth); ++k)
          left[row][k] = number<A>(a.at<A>(flags.transposes_a, first_row + row, k));
    }
    if (flags.negates_a != flags.negates_b)
      for (auto& row : left)
        for (auto& x : row) x = -x;
    unsigned stands_at[16][depth] = {};  // each stored element in its row
    if constexpr (is_sparse)
      for (unsigned row = 0; row < 16; ++row)
        for (unsigned k = 0; k < static_cast<unsigned>(depth); ++k) {
          const unsigned chunk = element_bytes<A> == 4 ? k : k / 2;
          const auto told = WgmmaSparsity::place<A>(row, chunk, first.sparsity.selector);
          const u32 word = warp.call<WgmmaCall>(told.lane).sparsity.metadata;
          stands_at[row][k] = WgmmaSparsity::column<A>(word >> told.shift & 15, k);
        }
    const MatrixDescriptor b(first.b);
    for (int panel = 0; panel < N; panel += 8) {
      for (int k = 0; k < depth_of_b; ++k)
        for (int column = 0; column < 8; ++column)
          right[k][column] =
              number<B>(b.at<B>(flags.transposes_b, static_cast<u32>(panel + column), static_cast<u32>(k)));
      for (int row = 0; row < 16; ++row) {
        // Integers wrap; reals are summed in double, as by mma.sync, and rounded once.
        std::conditional_t<std::is_same_v<Sum, s32>, u32, double> sums[8] = {};
        for (int k = 0; k < depth; ++k) {
          const auto& of_b = right[is_sparse ? stands_at[row][k] : static_cast<unsigned>(k)];
          for (int column = 0; column < 8; ++column) {
            if constexpr (std::is_same_v<Sum, s32>)
              sums[column] += static_cast<u32>(left[row][k] * of_b[column]);
            else
              sums[column] += static_cast<double>(left[row][k] * of_b[column]);  // the product is exact
          }
        }
        for (int column = 0; column < 8; ++column) {
          const Place place(row, panel + column);
          auto sum = static_cast<Sum>(sums[column]);
          if (flags.accumulates) {
            if constexpr (std::is_same_v<Sum, s32>)
              sum = static_cast<s32>(sums[column] + static_cast<u32>(load(warp, place)));
            else
              sum += load(warp, place);
          }
          store(warp, place, sum);
        }
      }
    }
  }
};

namespace wgmma_detail {
template <class Kind>
void serve(const SourceLine where, Kind mine) {
  const unsigned first_warp = warp() / 4 * 4;
  if (current_fiber->block->thread_count < (first_warp + 4) * warp_width)
    stop_kernel(
        cuemu::detail::kLaunchFailure,
        "wgmma is called by a warpgroup, four warps from one that is a multiple of four on: the block has "
        "too few threads");
  const unsigned first_row = warp() % 4 * 16;
  collective(mine, where, [first_row](const Participants& warp) {
    if (warp.present != 0xffffffffu)
      stop_kernel(cuemu::detail::kLaunchFailure,
                  "wgmma is called by whole warps: a thread of this one has ended");
    Kind::serve(warp, first_row);
  });
}
}  // namespace wgmma_detail

/// wgmma.mma_async.m64nNkK; `d` holds the addresses of the lane's registers of D. Not inlined, as mma.sync is not.
template <int N, class A, class B, class D>
__attribute__((noinline)) inline void wgmma(const SourceLine where, void* const* d, const WgmmaA& a,
                                            const u64 b, const WgmmaFlags flags) {
  using Kind = WgmmaCall<N, A, B, D, false>;
  wgmma_detail::serve(where, Kind{{0xffffffffu, Collective::group, sizeof(Kind)}, &a, b, {}, flags, d});
}
/// wgmma.mma_async.sp: the same with half of A.
template <int N, class A, class B, class D>
__attribute__((noinline)) inline void wgmma_sparse(const SourceLine where, void* const* d, const WgmmaA& a,
                                                   const u64 b, const WgmmaSparsity sparsity,
                                                   const WgmmaFlags flags) {
  if (sparsity.selector < 0 || sparsity.selector > (element_bytes<A> == 1 ? 0 : 1))
    stop_kernel(cuemu::detail::kLaunchFailure,
                "wgmma: the sparsity selector is 0 or 1, and 0 for elements of one byte");
  using Kind = WgmmaCall<N, A, B, D, true>;
  wgmma_detail::serve(where, Kind{{0xffffffffu, Collective::group, sizeof(Kind)}, &a, b, sparsity, flags, d});
}

}  // namespace cuemu::ptx
