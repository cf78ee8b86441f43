// The common part of cuBLAS: the handle, scalars of the host or the device, and calls of OpenBLAS by type of
// number.
//
// Matrices are column-major in cuBLAS, as in BLAS. Each function makes the same checks as cuBLAS and returns
// the status. It declares the memory that it uses, and passes its work to operation.hpp.
#pragma once

#include <algorithm>
#include <complex>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cublas_v2.h"
#include "operation.hpp"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
  cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
  int multiprocessors = 0;
};

namespace cuemu::cublas {

using library::Access;
using library::Operation;
using library::Shape;
using library::Uses;

constexpr const char* library_file = "libopenblas.so.0";
/// Whether OpenBLAS is installed. If not, prints which package to install.
bool is_present();

using Size = std::int64_t;

/// \name Types of numbers
/// @{
template <class T>
struct TypeOf {
  using Real = T;
  using Number = T;  ///< with arithmetic
  static constexpr bool is_complex = false;
};
template <>
struct TypeOf<cuComplex> {
  using Real = float;
  using Number = std::complex<float>;
  static constexpr bool is_complex = true;
};
template <>
struct TypeOf<cuDoubleComplex> {
  using Real = double;
  using Number = std::complex<double>;
  static constexpr bool is_complex = true;
};
template <class T>
using Real = typename TypeOf<T>::Real;
template <class T>
using Number = typename TypeOf<T>::Number;
template <class T>
constexpr bool is_complex = TypeOf<T>::is_complex;

/// The letter for the type in BLAS's names.
template <class T>
constexpr char letter = is_complex<T> ? (std::is_same_v<Real<T>, float> ? 'c' : 'z')
                                      : (std::is_same_v<T, float> ? 's' : 'd');
template <class T>
Number<T>* numbers(T* at) {
  return reinterpret_cast<Number<T>*>(at);
}
template <class T>
const Number<T>* numbers(const T* at) {
  return reinterpret_cast<const Number<T>*>(at);
}
template <class T>
bool is_zero(const T& x) {
  return *numbers(&x) == Number<T>(0);
}
template <class N>
N conjugate(N x) {
  if constexpr (std::is_floating_point_v<N>)
    return x;
  else
    return std::conj(x);
}
/// @}

/// \name Scalars: alpha and beta
/// @{
template <class T>
struct Scalar {
  T value{};
  const T* device = nullptr;
  /// Returns the value. Call this only where the work runs.
  T get() const { return device != nullptr ? *device : value; }
  /// Whether the value is known to be zero when the function is called. The scaled operand is then not read.
  bool is_surely_zero() const { return device == nullptr && is_zero(value); }
};
template <class T>
Scalar<T> scalar(cublasHandle_t handle, const T* at) {
  if (handle->pointers == CUBLAS_POINTER_MODE_DEVICE) return {T{}, at};
  return {*at, nullptr};
}
template <class T>
void use(Uses& uses, const char* name, const Scalar<T>& scalar) {
  if (scalar.device != nullptr) uses.matrix(name, scalar.device, sizeof(T), 1, 1, 1, Access::reads);
}
/// Returns how a result that is scaled by beta is accessed.
template <class T>
Access result_access(const Scalar<T>& beta) {
  return beta.is_surely_zero() ? Access::writes : Access::updates;
}
/// @}

/// \name Checks
/// @{
/// The status that a function returns before its work; if it is CUBLAS_STATUS_SUCCESS, the function continues.
cublasStatus_t check(cublasHandle_t handle, std::initializer_list<bool> valid);
/// Like check(), for one product. Also prints on stdout which parameter of the routine (SGEMM) is wrong, as
/// cuBLAS does.
cublasStatus_t check_product(cublasHandle_t handle, const char* routine, cublasOperation_t transa,
                             cublasOperation_t transb, Size m, Size n, Size k, const void* alpha, Size lda,
                             Size ldb, const void* beta, Size ldc);
/// Like check(), for `count` products C = alpha op(A) op(B) + beta C. C is m × n, op(A) m × k, op(B) k × n.
cublasStatus_t check_products(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                              Size m, Size n, Size k, const void* alpha, Size lda, Size ldb, const void* beta,
                              Size ldc, Size count = 1);
inline bool are_sizes(std::initializer_list<Size> sizes) {
  return std::all_of(sizes.begin(), sizes.end(), [](Size n) { return n >= 0; });
}
inline bool is_leading(Size leading, Size rows) {
  return leading >= std::max<Size>(1, rows);
}
/// Whether `op` differs from CUBLAS_OP_CONJG, which only a few functions support.
inline bool is_plain(cublasOperation_t op) {
  return op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C;
}
inline bool is_side(cublasSideMode_t side) {
  return side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT;
}
/// Whether `leading` is valid for a matrix that is used as op(A) with m rows and k columns.
inline bool is_leading_of(cublasOperation_t op, Size leading, Size m, Size k) {
  return is_leading(leading, op == CUBLAS_OP_N || op == CUBLAS_OP_CONJG ? m : k);
}
inline bool is_triangle(cublasFillMode_t uplo) {
  return uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER;
}
inline Shape shape_of(cublasFillMode_t uplo) {
  return uplo == CUBLAS_FILL_MODE_LOWER ? Shape::lower : Shape::upper;
}
inline std::size_t bytes(Size n) {
  return static_cast<std::size_t>(n);
}
/// @}

/// Queues the work. Returns an error if the work cannot be queued.
cublasStatus_t submit(cublasHandle_t handle, Uses uses, std::function<void()> work,
                      std::function<Uses()> more_uses = {});
/// Waits for the queued work, if results are in the host's memory.
cublasStatus_t wait(cublasHandle_t handle);

/// Queues the computation of one number, which is stored in `result`, in the host's or the device's memory.
template <class R, class Compute>
cublasStatus_t submit_result(cublasHandle_t handle, Uses uses, R* result, Compute compute) {
  if (handle->pointers == CUBLAS_POINTER_MODE_DEVICE) {
    uses.matrix("result", result, sizeof(R), 1, 1, 1, Access::writes);
    return submit(handle, std::move(uses), [=] { *result = compute(); });
  }
  const auto kept = std::make_shared<R>();
  const cublasStatus_t queued = submit(handle, std::move(uses), [=] { *kept = compute(); });
  if (queued != CUBLAS_STATUS_SUCCESS) return queued;
  const cublasStatus_t waited = wait(handle);
  if (waited == CUBLAS_STATUS_SUCCESS) *result = *kept;
  return waited;
}

/// \name CBLAS
/// @{
namespace cblas {
constexpr int column_major = 102;
inline int transpose(cublasOperation_t op) {
  return op == CUBLAS_OP_N ? 111 : op == CUBLAS_OP_T ? 112 : op == CUBLAS_OP_C ? 113 : 114;
}
inline int uplo(cublasFillMode_t fill) {
  return fill == CUBLAS_FILL_MODE_UPPER ? 121 : 122;
}
inline int diag(cublasDiagType_t type) {
  return type == CUBLAS_DIAG_UNIT ? 132 : 131;
}
inline int side(cublasSideMode_t mode) {
  return mode == CUBLAS_SIDE_LEFT ? 141 : 142;
}

// CBLAS takes sizes as int, real factors by value and complex factors by address.
inline int pass(Size n) {
  if (n != static_cast<int>(n)) throw std::length_error("sizes of 2^31 and more are not computed here");
  return static_cast<int>(n);
}
inline int pass(int n) {
  return n;
}
inline float pass(const float& x) {
  return x;
}
inline double pass(const double& x) {
  return x;
}
inline const void* pass(const cuComplex& x) {
  return &x;
}
inline const void* pass(const cuDoubleComplex& x) {
  return &x;
}
template <class P>
P* pass(P* pointer) {
  return pointer;
}
}  // namespace cblas

void* openblas_function(const std::string& name);

/// Calls `cblas_` + letters + base.
template <class Result = void, class... Arguments>
Result call(const std::string& name, const Arguments&... arguments) {
  using Function = Result(decltype(cblas::pass(arguments))...);
  return reinterpret_cast<Function*>(openblas_function("cblas_" + name))(cblas::pass(arguments)...);
}
template <class T, class... Arguments>
void call_for(const char* base, const Arguments&... arguments) {
  call(letter<T> + std::string(base), arguments...);
}
/// @}

/// Sets y to 0 if beta is 0, since the old y may contain NaN.
template <class T>
void clear(T* y, Size n, Size step) {
  if (step < 0) step = -step;
  for (Size i = 0; i < n; ++i) y[i * step] = T{};
}

/// Computes C = alpha op(A) op(B) + beta C for matrices of one type. Runs on the libraries' thread.
template <class T>
void multiply(cublasOperation_t transa, cublasOperation_t transb, Size m, Size n, Size k, const T& alpha,
              const T* A, Size lda, const T* B, Size ldb, const T& beta, T* C, Size ldc) {
  call_for<T>("gemm", cblas::column_major, cblas::transpose(transa), cblas::transpose(transb), m, n, k, alpha,
              A, lda, B, ldb, beta, C, ldc);
}

}  // namespace cuemu::cublas

/// Defines the functions in the lists (cuemu/cublas/each_type.inc, for the part CUEMU_PART). Each function
/// records its caller, and calls the function or template with the name of its base.
#define CUEMU_BLAS(LETTERS, BASE, PARAMETERS, ARGUMENTS) \
  CUEMU_BLAS_DEFINITION(CUEMU_NAME(LETTERS, BASE), CUEMU_NAME_V2(LETTERS, BASE), BASE, PARAMETERS, ARGUMENTS)
#define CUEMU_BLAS_DEFINITION(NAME, SECOND_NAME, BASE, PARAMETERS, ARGUMENTS) \
  CUEMU_BLAS_DEFINITION_(NAME, SECOND_NAME, BASE, PARAMETERS, ARGUMENTS)
#define CUEMU_BLAS_DEFINITION_(NAME, SECOND_NAME, BASE, PARAMETERS, ARGUMENTS) \
  extern "C" cublasStatus_t NAME PARAMETERS {                                  \
    const ::cuemu::library::Call call(#NAME, __builtin_return_address(0));     \
    return ::cuemu::cublas::BASE ARGUMENTS;                                    \
  }                                                                            \
  extern "C" cublasStatus_t SECOND_NAME PARAMETERS __attribute__((alias(#NAME)));
