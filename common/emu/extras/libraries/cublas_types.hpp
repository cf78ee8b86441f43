// Elements whose type is named by an argument of cuBLAS (CUDA_R_16F …). They are converted to the type of the
// computation, and results are rounded back.
//
// Products of halves, bfloat16, 8-bit floating-point numbers and floats are computed in float. Products of
// integers are computed in double, so that their sums are exact. A result is rounded once, to the nearest,
// ties to even; integers saturate.
#pragma once

#include <cmath>

#include "cublas.hpp"
#include "cuda_fp8.h"

namespace cuemu::cublas {

template <class N>
constexpr bool is_complex_number = !std::is_floating_point_v<N>;

/// Calls `visit` with a null pointer of the elements' type. @return false for an unknown type
template <class Visit>
bool visit_type(cudaDataType type, const Visit& visit) {
  switch (type) {
    case CUDA_R_32F:
      visit(static_cast<float*>(nullptr));
      return true;
    case CUDA_R_64F:
      visit(static_cast<double*>(nullptr));
      return true;
    case CUDA_R_16F:
      visit(static_cast<__half*>(nullptr));
      return true;
    case CUDA_R_16BF:
      visit(static_cast<__nv_bfloat16*>(nullptr));
      return true;
    case CUDA_R_8I:
      visit(static_cast<std::int8_t*>(nullptr));
      return true;
    case CUDA_R_32I:
      visit(static_cast<std::int32_t*>(nullptr));
      return true;
    case CUDA_R_8F_E4M3:
      visit(static_cast<__nv_fp8_e4m3*>(nullptr));
      return true;
    case CUDA_R_8F_E5M2:
      visit(static_cast<__nv_fp8_e5m2*>(nullptr));
      return true;
    case CUDA_C_32F:
      visit(static_cast<std::complex<float>*>(nullptr));
      return true;
    case CUDA_C_64F:
      visit(static_cast<std::complex<double>*>(nullptr));
      return true;
    default:
      return false;
  }
}

inline std::size_t element_bytes(cudaDataType type) {
  std::size_t size = 0;
  visit_type(type, [&](auto* none) { size = sizeof(*none); });
  return size;
}

template <class N, class E>
N number_of(const E& element) {
  if constexpr (std::is_arithmetic_v<E>)
    return N(static_cast<double>(element));
  else if constexpr (std::is_same_v<E, std::complex<float>> || std::is_same_v<E, std::complex<double>>) {
    if constexpr (is_complex_number<N>)
      return N(element);
    else
      return N(element.real());
  } else
    return N(static_cast<float>(element));
}

template <class E, class N>
E element_of(const N& number) {
  if constexpr (std::is_same_v<E, std::complex<float>> || std::is_same_v<E, std::complex<double>>)
    return E(number);
  else if constexpr (is_complex_number<N>)
    return element_of<E>(number.real());
  else if constexpr (std::is_integral_v<E>) {
    const double rounded = std::nearbyint(static_cast<double>(number));
    if (std::isnan(rounded)) return 0;
    return static_cast<E>(std::clamp(rounded, static_cast<double>(std::numeric_limits<E>::min()),
                                     static_cast<double>(std::numeric_limits<E>::max())));
  } else if constexpr (std::is_floating_point_v<E>)
    return static_cast<E>(number);
  else
    return E(static_cast<float>(number));
}

/// One number, such as alpha.
template <class N>
N read_number(cudaDataType type, const void* at) {
  N result{};
  visit_type(type, [&](auto* none) {
    result = number_of<N>(*static_cast<const std::remove_pointer_t<decltype(none)>*>(at));
  });
  return result;
}
template <class N>
void write_number(cudaDataType type, void* at, N number) {
  visit_type(type, [&](auto* none) {
    using Element = std::remove_pointer_t<decltype(none)>;
    *static_cast<Element*>(at) = element_of<Element>(number);
  });
}

/// A matrix in memory. Element (i, j) is number i · down + j · right.
struct Layout {
  cudaDataType type;
  Size down, right;
};

/// Returns op(matrix) as a dense column-major matrix of rows × columns.
template <class N>
std::vector<N> dense(const void* at, Layout layout, cublasOperation_t op, Size rows, Size columns) {
  std::vector<N> out(bytes(rows * columns));
  if (op != CUBLAS_OP_N) std::swap(layout.down, layout.right);
  visit_type(layout.type, [&](auto* none) {
    const auto* const elements = static_cast<const std::remove_pointer_t<decltype(none)>*>(at);
    for (Size j = 0; j < columns; ++j)
      for (Size i = 0; i < rows; ++i) {
        const N number = number_of<N>(elements[i * layout.down + j * layout.right]);
        out[bytes(i + j * rows)] = op == CUBLAS_OP_C ? conjugate(number) : number;
      }
  });
  return out;
}
/// The inverse of dense(), for a matrix that is not transposed.
template <class N>
void store(const std::vector<N>& dense, void* at, const Layout& layout, Size rows, Size columns) {
  visit_type(layout.type, [&](auto* none) {
    using Element = std::remove_pointer_t<decltype(none)>;
    auto* const elements = static_cast<Element*>(at);
    for (Size j = 0; j < columns; ++j)
      for (Size i = 0; i < rows; ++i)
        elements[i * layout.down + j * layout.right] = element_of<Element>(dense[bytes(i + j * rows)]);
  });
}

/// Returns the product of two dense matrices: m × k by k × n.
template <class N>
std::vector<N> product(Size m, Size n, Size k, const std::vector<N>& A, const std::vector<N>& B) {
  using T =
      std::conditional_t<is_complex_number<N>,
                         std::conditional_t<sizeof(N) == sizeof(cuComplex), cuComplex, cuDoubleComplex>, N>;
  std::vector<N> C(bytes(m * n));
  if (k == 0 || m == 0 || n == 0) return C;
  T one{}, zero{};
  *numbers(&one) = N(1);
  multiply(CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, one, reinterpret_cast<const T*>(A.data()), m,
           reinterpret_cast<const T*>(B.data()), k, zero, reinterpret_cast<T*>(C.data()), m);
  return C;
}

/// The arithmetic of a type of computation.
enum class Arithmetic { none, floats, doubles, complex_floats, complex_doubles, integers };
/// @param scale the type of alpha and beta, which follows from the type of the computation and A's type
Arithmetic arithmetic_of(cublasComputeType_t compute, cudaDataType a, cudaDataType b, cudaDataType c,
                         cudaDataType& scale);

/// Calls `run` with a number of the arithmetic's type.
template <class Run>
void visit_arithmetic(Arithmetic arithmetic, const Run& run) {
  switch (arithmetic) {
    case Arithmetic::floats:
      return run(float{});
    case Arithmetic::doubles:
    case Arithmetic::integers:
      return run(double{});
    case Arithmetic::complex_floats:
      return run(std::complex<float>{});
    case Arithmetic::complex_doubles:
      return run(std::complex<double>{});
    case Arithmetic::none:
      return;
  }
}

/// A factor; an argument names its type. It is copied from the host, or is in device memory.
struct NamedScalar {
  cudaDataType type = CUDA_R_32F;
  unsigned char value[16] = {};
  const void* device = nullptr;
  template <class N>
  N get() const {
    return read_number<N>(type, device != nullptr ? device : value);
  }
  bool is_surely_zero() const { return device == nullptr && get<std::complex<double>>() == 0.0; }
};
NamedScalar named_scalar(const void* at, cudaDataType type, bool on_device);
void use(Uses& uses, const char* name, const NamedScalar& scalar);

}  // namespace cuemu::cublas
