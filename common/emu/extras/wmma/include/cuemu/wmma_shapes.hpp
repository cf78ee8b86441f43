// The parts of fragments in nvcuda::wmma: types, shapes, and the lane of each element.
#pragma once

#include <type_traits>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuemu/warp.hpp"

namespace nvcuda::wmma {

struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
/// A tf32 number, stored in a float. Products use the float's upper 19 bits.
struct tf32 {};
}  // namespace precision

namespace detail {

template <typename Value>
struct Same {
  using type = Value;
};

/// Two types for an element: the one that stores it, and the one of sums of products.
template <typename Element>
struct Storage {
  using type = Element;
  using Sum = std::conditional_t<std::is_integral_v<Element>, int,
                                 std::conditional_t<std::is_same_v<Element, double>, double, float>>;
};
template <>
struct Storage<precision::tf32> {
  using type = float;
  using Sum = float;
};

template <typename Use, int M, int N, int K>
struct Shape {
  static constexpr int rows = std::is_same_v<Use, matrix_b> ? K : M;
  static constexpr int columns = std::is_same_v<Use, matrix_a> ? K : N;
  static constexpr bool is_accumulator = std::is_same_v<Use, accumulator>;
};

template <typename Element>
constexpr bool is_supported(const int m, const int n, const int k) {
  const bool of_sixteen = k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32));
  if (std::is_same_v<Element, precision::tf32>) return m == 16 && n == 16 && k == 8;
  if (std::is_same_v<Element, double>) return m == 8 && n == 8 && k == 4;
  return of_sixteen || (std::is_same_v<Element, float> && m == 16 && n == 16 && k == 8);
}

/// The number of elements of a lane. GPUs store each element of a half factor at least twice, so that a lane
/// has 16 elements for every shape.
template <typename Use, typename Element>
constexpr int elements_of_lane(const int rows, const int columns) {
  const int held = rows * columns / 32;
  const bool repeated = std::is_same_v<Element, __half> && !std::is_same_v<Use, accumulator>;
  return repeated && held < 16 ? 16 : held;
}

struct Position {
  int row, column;
};
/// Returns the element that has number `index` in a lane.
template <typename Form>
constexpr Position position(const int lane, const int index) {
  if constexpr (Form::is_accumulator && Form::rows == 16 && Form::columns == 16) {
    return {lane / 4 + (index / 2 % 2) * 8, lane % 4 * 2 + index % 2 + index / 4 * 8};
  } else if constexpr (Form::is_accumulator && Form::rows == 8 && Form::columns == 8) {
    return {lane / 4, lane % 4 * 2 + index};
  } else {
    const int flat = lane * (Form::rows * Form::columns / 32) + index;
    return {flat / Form::columns, flat % Form::columns};
  }
}

/// Writes a lane's elements to their positions in the whole matrix.
template <typename Form, typename Elements, typename Sum>
inline void gather(const int lane, const Elements& elements, Sum (&matrix)[Form::rows][Form::columns]) {
  for (int i = 0; i < Form::rows * Form::columns / 32; ++i) {
    const Position at = position<Form>(lane, i);
    matrix[at.row][at.column] = static_cast<Sum>(elements[i]);
  }
}

template <typename Element, int M, int N, int K, typename Sum>
inline void multiply_add(Sum (&a)[M][K], Sum (&b)[K][N], Sum (&sum)[M][N], const bool saturate) {
  if constexpr (std::is_same_v<Element, precision::tf32>) {
    for (auto& row : a)
      for (float& x : row) x = cuemu::bit_cast<float>(cuemu::bit_cast<unsigned>(x) & 0xffffe000u);
    for (auto& row : b)
      for (float& x : row) x = cuemu::bit_cast<float>(cuemu::bit_cast<unsigned>(x) & 0xffffe000u);
  }
  for (int i = 0; i < M; ++i) {
    if constexpr (std::is_same_v<Sum, int>) {
      long long exact[N];
      for (int j = 0; j < N; ++j) exact[j] = sum[i][j];
      for (int k = 0; k < K; ++k)
        for (int j = 0; j < N; ++j) exact[j] += a[i][k] * b[k][j];
      for (int j = 0; j < N; ++j) {
        const long long ends = exact[j] > 0x7fffffffll    ? 0x7fffffffll
                               : exact[j] < -0x80000000ll ? -0x80000000ll
                                                          : exact[j];
        sum[i][j] = static_cast<int>(static_cast<unsigned>(saturate ? ends : exact[j]));
      }
    } else {
      for (int k = 0; k < K; ++k)
        for (int j = 0; j < N; ++j) sum[i][j] += a[i][k] * b[k][j];
    }
  }
}

template <typename To, typename From>
inline To narrowed(const From value) {
  return static_cast<To>(value);
}

}  // namespace detail
}  // namespace nvcuda::wmma
