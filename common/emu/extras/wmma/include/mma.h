// nvcuda::wmma: products of small matrices by a whole warp. Each lane holds some elements of a fragment. The
// product is computed once for the warp, from the elements of all lanes.
//
// The shapes (M, N, K) are 16x16x16, 32x8x16 and 8x32x16 of half, bfloat16 and 8-bit integers, 16x16x8 of
// tf32, and 8x8x4 of double. Accumulators of 16x16 have the layout of GPUs of compute capability 8.0 and
// later. For all other fragments CUDA does not specify which lane holds an element, so this implementation
// chooses it.
#pragma once
#define __CUDA_MMA_H__
#define __CUDA_MMA_HPP__

#include "cuemu/push_macros.hpp"

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuemu/wmma_shapes.hpp"

namespace nvcuda::wmma {

using cuemu::SourceLine;

/// A part of a matrix product. `x[0 … num_elements)` are the calling lane's elements. An operation on each
/// element of all lanes is an operation on the matrix.
template <typename Use, int M, int N, int K, typename Element, typename Layout = void>
class fragment {
  using Shape = detail::Shape<Use, M, N, K>;
  static_assert(
      detail::is_supported<Element>(M, N, K),
      "wmma has no fragment of this shape and type (16x16x16, 32x8x16, 8x32x16 of half, bfloat16 and "
      "8-bit integers, 16x16x8 of tf32, 8x8x4 of double)");

 public:
  using element_type = Element;
  using storage_element_type = typename detail::Storage<Element>::type;
  static constexpr int num_storage_elements =
      detail::elements_of_lane<Use, Element>(Shape::rows, Shape::columns);
  static constexpr int num_elements = num_storage_elements;

  storage_element_type x[num_elements];
};

template <typename Use, int M, int N, int K, typename Element, typename Layout>
inline void fill_fragment(fragment<Use, M, N, K, Element, Layout>& a,
                          const typename detail::Same<typename detail::Storage<Element>::type>::type value) {
  for (auto& element : a.x) element = value;
}

/// A float rounded to tf32: ten bits of fraction, ties away from zero.
inline float __float_to_tf32(const float x) {
  const unsigned bits = cuemu::bit_cast<unsigned>(x);
  const bool finite = (bits & 0x7f800000u) != 0x7f800000u;
  return cuemu::bit_cast<float>(finite ? (bits + 0x1000u) & 0xffffe000u : bits);
}

namespace detail {

template <typename Use, int M, int N, int K, typename Element, typename Layout, typename Memory>
__attribute__((noinline)) inline void load(fragment<Use, M, N, K, Element, Layout>& a,
                                           const Memory* const memory, const unsigned stride,
                                           const bool row_major, const SourceLine where) {
  using Form = Shape<Use, M, N, K>;
  __syncwarp(0xffffffffu, where);  // all lanes have arrived
  constexpr int held = Form::rows * Form::columns / 32;
  for (int i = 0; i < a.num_elements; ++i) {
    const Position at = position<Form>(static_cast<int>(cuemu::lane()), i % held);
    const unsigned row = static_cast<unsigned>(at.row), column = static_cast<unsigned>(at.column);
    a.x[i] = memory[row_major ? row * stride + column : column * stride + row];
  }
}

}  // namespace detail

/// Loads a fragment. `stride` is the number of elements from one row (row_major) or column (col_major) to the
/// next. All lanes of the warp must call this function with the same arguments.
template <typename Use, int M, int N, int K, typename Element, typename Layout>
inline void load_matrix_sync(fragment<Use, M, N, K, Element, Layout>& a,
                             const typename detail::Storage<Element>::type* const memory,
                             const unsigned stride, const SourceLine where = SourceLine::here()) {
  static_assert(!std::is_void_v<Layout>,
                "an accumulator is loaded with a layout: mem_row_major or mem_col_major");
  detail::load(a, memory, stride, std::is_same_v<Layout, row_major>, where);
}
template <int M, int N, int K, typename Element>
inline void load_matrix_sync(fragment<accumulator, M, N, K, Element>& a,
                             const typename detail::Storage<Element>::type* const memory,
                             const unsigned stride, const layout_t layout,
                             const SourceLine where = SourceLine::here()) {
  detail::load(a, memory, stride, layout == mem_row_major, where);
}
template <int M, int N, int K, typename Element>
__attribute__((noinline)) inline void store_matrix_sync(typename detail::Storage<Element>::type* const memory,
                                                        const fragment<accumulator, M, N, K, Element>& a,
                                                        const unsigned stride, const layout_t layout,
                                                        const SourceLine where = SourceLine::here()) {
  using Form = detail::Shape<accumulator, M, N, K>;
  __syncwarp(0xffffffffu, where);
  for (int i = 0; i < a.num_elements; ++i) {
    const detail::Position at = detail::position<Form>(static_cast<int>(cuemu::lane()), i);
    const unsigned row = static_cast<unsigned>(at.row), column = static_cast<unsigned>(at.column);
    memory[layout == mem_row_major ? row * stride + column : column * stride + row] = a.x[i];
  }
}

/// Computes d = a b + c. Sums are computed in float, double or int32, and rounded once to the type of d. With
/// `saturate`, integer results outside the range become the nearest limit of the range.
template <int M, int N, int K, typename A, typename B, typename C, typename D, typename LayoutA,
          typename LayoutB>
__attribute__((noinline)) inline void mma_sync(fragment<accumulator, M, N, K, D>& d,
                                               const fragment<matrix_a, M, N, K, A, LayoutA>& a,
                                               const fragment<matrix_b, M, N, K, B, LayoutB>& b,
                                               const fragment<accumulator, M, N, K, C>& c,
                                               const bool saturate = false,
                                               const SourceLine where = SourceLine::here()) {
  static_assert(std::is_same_v<A, B>, "both factors of mma_sync have the same type");
  using Sum = typename detail::Storage<A>::Sum;
  struct Parts : cuemu::Call {
    const fragment<matrix_a, M, N, K, A, LayoutA>* a;
    const fragment<matrix_b, M, N, K, B, LayoutB>* b;
    const fragment<accumulator, M, N, K, C>* c;
    fragment<accumulator, M, N, K, D>* d;
  };
  Parts mine{{0xffffffffu, cuemu::Collective::group, sizeof(Parts)}, &a, &b, &c, &d};
  cuemu::collective(mine, where, [saturate](const cuemu::Participants& warp) {
    Sum left[M][K], right[K][N], sum[M][N];
    for (int lane = 0; lane < 32; ++lane) {
      const Parts& parts = warp.call<Parts>(static_cast<unsigned>(lane));
      detail::gather<detail::Shape<matrix_a, M, N, K>>(lane, parts.a->x, left);
      detail::gather<detail::Shape<matrix_b, M, N, K>>(lane, parts.b->x, right);
      detail::gather<detail::Shape<accumulator, M, N, K>>(lane, parts.c->x, sum);
    }
    detail::multiply_add<A>(left, right, sum, saturate);
    for (int lane = 0; lane < 32; ++lane) {
      auto& result = warp.call<Parts>(static_cast<unsigned>(lane)).d->x;
      for (int i = 0; i < M * N / 32; ++i) {
        const detail::Position at = detail::position<detail::Shape<accumulator, M, N, K>>(lane, i);
        result[i] = detail::narrowed<typename detail::Storage<D>::type>(sum[at.row][at.column]);
      }
    }
  });
}

}  // namespace nvcuda::wmma

#include "cuemu/pop_macros.hpp"
