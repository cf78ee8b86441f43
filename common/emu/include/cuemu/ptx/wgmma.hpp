// PTX instructions of the tensor cores for warpgroups: wgmma.mma_async computes D = A B + D, in which A has 64 rows of
// 32 bytes, and B has N columns. With .sp, half of A's elements are zeros that are not stored, so that B is twice as
// deep. Elements of one bit form words: eight words in a row of A have the same layout as eight elements of tf32, in
// registers and in shared memory.
//
// Four warps make the call. When all lanes of a warp have arrived, the warp computes its own 16 rows from its part of A
// and all of B. A GPU may choose this order, too, so there is nothing to wait for. Within a warp, the registers of A
// have the layout of mma.sync, and those of D are the accumulators of mma.sync, one after another for each 8 columns
// (matrix.hpp).
//
// Descriptors of 64 bits name matrices in shared memory (PTX ISA, "Matrix descriptor"; CUTLASS calls these layouts
// canonical). In units of 16 bytes, with S the stride and L the leading dimension's byte offset:
//
//   K-major    row r, piece c of it       (r % 8) pattern + (r / 8) S + c % pattern + (c / pattern) L
//   MN-major   piece p of 8 rows, depth k  (p % pattern) + (p / pattern) L + (k % 8) pattern + (k / 8) S
//              without a pattern           p S + (k % 8) + (k / 8) L
//
// where `pattern` is 2, 4 or 8 pieces for swizzles of 32, 64 and 128 bytes, and 1 without. Swizzling comes last.
#pragma once

#include "cuemu/ptx/matrix_elements.hpp"
#include "cuemu/tensor_map.hpp"

namespace cuemu::ptx {

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
  /// Returns the bits of an element, by its row of A (or column of B) and its depth.
  template <class T>
  u32 at(const bool transposed, const u32 row, const u32 depth) const {
    constexpr u32 size = element_bytes<T>;
    const u32 span = swizzle_span(swizzle_);  // 16 without a pattern
    u64 offset = 0;
    if (!transposed) {
      const u32 piece = depth * size / 16;
      const u32 pieces = span / 16;  // a deep B of a sparse A has more pieces than the pattern
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

/// The modifiers that follow the operands.
struct WgmmaFlags {
  bool accumulates;           ///< adds to D instead of overwriting it
  bool negates_a, negates_b;  ///< imm-scale
  bool transposes_a, transposes_b;
  bool saturates = false;  ///< a sum of integers that is too large becomes the largest one
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
  Sparsity sparsity;
  WgmmaFlags flags;
  void* const* d;  ///< the lane's registers

  static constexpr int depth = static_cast<int>(32 / element_bytes<A>);  ///< of the stored A
  static constexpr int depth_of_b = is_sparse ? 2 * depth : depth;
  static constexpr int words = std::is_same_v<D, f16> ? N / 4 : N / 2;
  using Number = decltype(number<A>(0));
  using Sum = std::conditional_t<std::is_same_v<D, s32>, s32, double>;

  /// The place of element (row, column): the lane, the register and the part of it.
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
    if constexpr (!is_integer_element<A>)
      if (flags.negates_a != flags.negates_b)
        for (auto& row : left)
          for (auto& x : row) x = -x;
    const StoredPlaces<WgmmaCall, A, depth_of_b, is_sparse> places(warp, Metadata::any_order);
    const MatrixDescriptor b(first.b);
    for (int panel = 0; panel < N; panel += 8) {
      for (int k = 0; k < depth_of_b; ++k)
        for (int column = 0; column < 8; ++column)
          right[k][column] =
              number<B>(b.at<B>(flags.transposes_b, static_cast<u32>(panel + column), static_cast<u32>(k)));
      for (int row = 0; row < 16; ++row) {
        // Integers wrap; floating-point numbers are summed in double, as in mma.sync, and rounded once.
        std::conditional_t<std::is_same_v<Sum, s32>, u32, double> sums[8] = {};
        for (int k = 0; k < depth; ++k) {
          const auto& of_b = right[places.at(row, k)];
          for (int column = 0; column < 8; ++column)
            sums[column] += product<A>(left[row][k], of_b[column]);  // exact, also of reals
        }
        for (int column = 0; column < 8; ++column) {
          const Place place(row, panel + column);
          const Sum old = flags.accumulates ? load(warp, place) : Sum{};
          if constexpr (std::is_same_v<Sum, s32>) {
            s32 sum = 0;  // the sum of one step's products is far from the limits
            if (__builtin_add_overflow(static_cast<s32>(sums[column]), old, &sum) && flags.saturates)
              sum = old < 0 ? -0x7fffffff - 1 : 0x7fffffff;
            store(warp, place, sum);
          } else {
            store(warp, place, sums[column] + old);
          }
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
        "the block has too few threads for wgmma: a warpgroup must call it, four warps that begin at a "
        "multiple of 4");
  const unsigned first_row = warp() % 4 * 16;
  collective(mine, where, [first_row](const Participants& warp) {
    if (warp.present != 0xffffffffu)
      stop_kernel(cuemu::detail::kLaunchFailure,
                  "wgmma is called by whole warps: a thread of this one has ended");
    Kind::serve(warp, first_row);
  });
}
}  // namespace wgmma_detail

/// wgmma.mma_async.m64nNkK. `d` contains the addresses of the lane's registers of D. The function is not inlined, for
/// the same reason as mma.sync.
template <int N, class A, class B, class D>
__attribute__((noinline)) inline void wgmma(const SourceLine where, void* const* d, const WgmmaA& a,
                                            const u64 b, const WgmmaFlags flags) {
  using Kind = WgmmaCall<N, A, B, D, false>;
  wgmma_detail::serve(where, Kind{{0xffffffffu, Collective::group, sizeof(Kind)}, &a, b, {}, flags, d});
}
/// wgmma.mma_async.sp: the same, with half of A stored.
template <int N, class A, class B, class D>
__attribute__((noinline)) inline void wgmma_sparse(const SourceLine where, void* const* d, const WgmmaA& a,
                                                   const u64 b, const Sparsity sparsity,
                                                   const WgmmaFlags flags) {
  using Kind = WgmmaCall<N, A, B, D, true>;
  sparsity.check_selector<A, Kind::depth_of_b>();
  wgmma_detail::serve(where, Kind{{0xffffffffu, Collective::group, sizeof(Kind)}, &a, b, sparsity, flags, d});
}

}  // namespace cuemu::ptx
