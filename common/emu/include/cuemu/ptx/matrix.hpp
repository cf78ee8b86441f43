// PTX instructions of the tensor cores: ldmatrix, movmatrix, mma.sync and mma.sp.sync. Registers contain the fragments
// that the PTX manual describes.
//
// g = lane / 4, t = lane % 4; e is the number of elements in a register of 32 bits (64 for double); A has m groups of
// eight rows, one or two.
//
//   register i of A   row g + 8 (i % m), columns from e t + 4 e (i / m)
//   register i of B   column g, rows from e t + 4 e i
//   accumulators      rows g and g + 8, columns 2 t and 2 t + 1
//
// A sparse A has only its stored columns (PTX ISA, "Matrix fragments for multiply-accumulate operation with sparse
// matrix A", a section for each shape).
#pragma once

#include "cuemu/ptx/matrix_elements.hpp"

namespace cuemu::ptx {

/// Checks that the whole warp takes part, because each of these instructions needs a part of its matrices from every
/// lane.
inline void check_whole(const Participants& warp) {
  if (warp.present != 0xffffffffu)
    stop_kernel(cuemu::detail::kLaunchFailure,
                "instructions that multiply, load, store or transpose matrices must be called by whole "
                "warps: a thread of this one has ended, or the block has too few");
}

/// A product's modifiers besides its shape and types.
struct MmaFlags {
  bool saturates = false;  ///< a sum of integers that is too large becomes the largest one
  Metadata known = Metadata::any_order;
  Sparsity sparsity = {};
};

template <int M, int K, class A, class B, class C, class D, bool is_sparse>
struct MmaCall : Call {
  static constexpr int eights = M / 8, depth = is_sparse ? K / 2 : K;  ///< dimensions of the stored A
  static constexpr int a_words = depth / (4 * elements_of_word<A>)*eights,
                       b_words = K / (4 * elements_of_word<B>);
  static constexpr int c_words = std::is_same_v<C, f16> ? eights : 2 * eights;
  static constexpr int d_words = std::is_same_v<D, f16> ? eights : 2 * eights;
  using Word = ElementWord<A>;  ///< the word of a register, also for the accumulators
  Word a[a_words], b[b_words], c[c_words], d[d_words];
  Sparsity sparsity;

  using Element = decltype(number<A>(0));
  using Number = std::conditional_t<std::is_same_v<Element, f32>, double, Element>;
  using Sum = std::conditional_t<is_integer_element<A>, int64_t, double>;

  /// Returns the element (row, column) of the input accumulators.
  static Sum accumulator(const Participants& warp, const int row, const int column) {
    const auto& call = warp.call<MmaCall>(static_cast<unsigned>(row % 8 * 4 + column / 2));
    if constexpr (std::is_same_v<C, f16>)
      return static_cast<Sum>(element<f16>(call.c[row / 8], column % 2));
    else if constexpr (std::is_same_v<C, s32>)
      return static_cast<s32>(call.c[row / 8 * 2 + column % 2]);
    else
      return static_cast<Sum>(bit_cast<C>(call.c[row / 8 * 2 + column % 2]));
  }
  static void serve(const Participants& warp, const MmaFlags flags) {
    Number left[M][depth], right[K][8];
    constexpr int e = elements_of_word<A>;
    for (int lane = 0; lane < 32; ++lane) {
      const auto& call = warp.call<MmaCall>(static_cast<unsigned>(lane));
      for (int i = 0; i < a_words; ++i)
        for (int j = 0; j < e; ++j)
          left[lane / 4 + 8 * (i % eights)][e * (lane % 4) + 4 * e * (i / eights) + j] =
              element<A>(call.a[i], j);
      for (int i = 0; i < b_words; ++i)
        for (int j = 0; j < e; ++j)
          right[e * (lane % 4) + 4 * e * i + j][lane / 4] = element<B>(call.b[i], j);
    }
    const StoredPlaces<MmaCall, A, K, is_sparse> places(warp, flags.known);
    for (int row = 0; row < M; ++row)
      for (int column = 0; column < 8; ++column) {
        Sum sum = accumulator(warp, row, column);
        for (int k = 0; k < depth; ++k) {
          const Number x = left[row][k], y = right[places.at(row, k)][column];
          if constexpr (std::is_same_v<A, f64>)
            sum = __builtin_fma(x, y, sum);
          else if constexpr (is_integer_element<A>)
            sum += static_cast<s32>(product<A>(x, y));
          else
            sum += product<A>(x, y);
        }
        auto& call = warp.call<MmaCall>(static_cast<unsigned>(row % 8 * 4 + column / 2));
        if constexpr (std::is_same_v<D, f16>) {
          u16 half[2] = {static_cast<u16>(call.d[row / 8]), static_cast<u16>(call.d[row / 8] >> 16)};
          half[column % 2] = cuemu::detail::encode<Binary16>(static_cast<double>(sum));
          call.d[row / 8] = static_cast<u32>(half[1]) << 16 | half[0];
        } else if constexpr (std::is_same_v<D, s32>) {
          constexpr Sum most = 0x7fffffff;
          if (flags.saturates) sum = sum > most ? most : sum < -most - 1 ? -most - 1 : sum;
          call.d[row / 8 * 2 + column % 2] = static_cast<u32>(sum);
        } else {
          call.d[row / 8 * 2 + column % 2] = bit_cast<Word>(static_cast<D>(sum));
        }
      }
  }
};

// Unrolled kernels contain hundreds of these calls. Inlining them would not make kernels faster, since a switch of
// threads costs more than a call, but with -O3 it would copy the whole function each time, and kernels would take
// minutes to compile.

/// mma.sync and mma.sp.sync .mMn8kK. The registers of d, a, b and c are passed in this order.
template <int M, int K, class A, class B, class C, class D, bool is_sparse, class... Registers>
__attribute__((noinline)) inline void mma(const SourceLine where, const MmaFlags flags,
                                          Registers&... registers) {
  using Kind = MmaCall<M, K, A, B, C, D, is_sparse>;
  static_assert(sizeof...(Registers) == Kind::d_words + Kind::a_words + Kind::b_words + Kind::c_words,
                "this mma.sync has the wrong number of registers for its shape and types");
  Kind mine{};
  static_cast<Call&>(mine) = {0xffffffffu, Collective::group, sizeof(Kind)};
  mine.sparsity = flags.sparsity;
  if constexpr (is_sparse) mine.sparsity.template check_selector<A, K>();
  using Word = typename Kind::Word;
  Word* words[] = {mine.d, mine.a, mine.b, mine.c};
  const int counts[] = {Kind::d_words, Kind::a_words, Kind::b_words, Kind::c_words};
  int part = 0, index = 0;
  (([&] {
     words[part][index] = get<Word>(registers);
     if (++index == counts[part]) ++part, index = 0;
   }()),
   ...);
  collective(mine, where, [flags](const Participants& warp) {
    check_whole(warp);
    Kind::serve(warp, flags);
  });
  index = 0;
  (([&] {
     if constexpr (!std::is_const_v<Registers>)
       if (index < Kind::d_words) set(registers, mine.d[index]);
     ++index;
   }()),
   ...);
}

/// movmatrix.trans of 8 by 8 elements of 16 bits; four lanes hold a row.
template <class D, class A>
__attribute__((noinline)) inline void movmatrix(const SourceLine where, D& d, const A& a) {
  struct Kind : Call {
    u32 from, to;
  };
  Kind mine{{0xffffffffu, Collective::group, sizeof(Kind)}, get<u32>(a), 0};
  collective(mine, where, [](const Participants& warp) {
    check_whole(warp);
    for (unsigned lane = 0; lane < 32; ++lane) {
      const auto at = [&](const unsigned row, const unsigned column) {
        return warp.call<Kind>(row * 4 + column / 2).from >> 16 * (column % 2) & 0xffffu;
      };
      const unsigned row = lane / 4, column = lane % 4 * 2;
      warp.call<Kind>(lane).to = at(column + 1, row) << 16 | at(column, row);
    }
  });
  set(d, mine.to);
}

/// ldmatrix: lane 8 i + r passes the address of row r of matrix i. Each lane receives two elements of each matrix.
template <bool Transposed, class... D>
__attribute__((noinline)) inline void ldmatrix(const SourceLine where, const u64 row, D&... d) {
  struct Kind : Call {
    u64 row;
    u32 words[sizeof...(D)];
  };
  Kind mine{{0xffffffffu, Collective::group, sizeof(Kind)}, row, {}};
  collective(mine, where, [](const Participants& warp) {
    check_whole(warp);
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned i = 0; i < sizeof...(D); ++i) {
        const auto at = [&](const unsigned r, const unsigned column) -> u32 {
          return reinterpret_cast<const u16*>(warp.call<Kind>(8 * i + r).row)[column];
        };
        const unsigned g = lane / 4, pair = lane % 4 * 2;
        warp.call<Kind>(lane).words[i] =
            Transposed ? at(pair + 1, g) << 16 | at(pair, g) : at(g, pair + 1) << 16 | at(g, pair);
      }
  });
  unsigned i = 0;
  (set(d, mine.words[i++]), ...);
}
/// stmatrix: the inverse.
template <bool Transposed, class... A>
__attribute__((noinline)) inline void stmatrix(const SourceLine where, const u64 row, const A&... a) {
  struct Kind : Call {
    u64 row;
    u32 words[sizeof...(A)];
  };
  Kind mine{{0xffffffffu, Collective::group, sizeof(Kind)}, row, {get<u32>(a)...}};
  collective(mine, where, [](const Participants& warp) {
    check_whole(warp);
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned i = 0; i < sizeof...(A); ++i)
        for (unsigned j = 0; j < 2; ++j) {
          const unsigned r = Transposed ? lane % 4 * 2 + j : lane / 4;
          const unsigned column = Transposed ? lane / 4 : lane % 4 * 2 + j;
          reinterpret_cast<u16*>(warp.call<Kind>(8 * i + r).row)[column] =
              static_cast<u16>(warp.call<Kind>(lane).words[i] >> 16 * j);
        }
  });
}

}  // namespace cuemu::ptx
