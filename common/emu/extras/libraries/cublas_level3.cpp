// cuBLAS, level 3: matrices.
#include <cctype>

#include "cublas.hpp"

namespace cuemu::cublas {

namespace {

constexpr cublasStatus_t ok = CUBLAS_STATUS_SUCCESS;

template <class T>
void use(Uses& uses, const char* name, const T* at, Size rows, Size columns, Size leading, Access access,
         Shape shape = Shape::full) {
  uses.matrix(name, at, sizeof(T), bytes(rows), bytes(columns), bytes(leading), access, shape);
}
/// A matrix that is used as op(A) with m rows and k columns.
template <class T>
void use_operand(Uses& uses, const char* name, const T* at, cublasOperation_t op, Size m, Size k,
                 Size leading) {
  const bool plain = op == CUBLAS_OP_N || op == CUBLAS_OP_CONJG;
  use(uses, name, at, plain ? m : k, plain ? k : m, leading, Access::reads);
}

template <class T>
cublasStatus_t gemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Size m, Size n,
                    Size k, const T* alpha, const T* A, Size lda, const T* B, Size ldb, const T* beta, T* C,
                    Size ldc) {
  const char routine[] = {static_cast<char>(std::toupper(letter<T>)), 'G', 'E', 'M', 'M', '\0'};
  if (const auto status = check_product(handle, routine, transa, transb, m, n, k, alpha, lda, ldb, beta, ldc);
      status != ok)
    return status;
  if (m == 0 || n == 0) return ok;
  const auto factor = scalar(handle, alpha);
  const auto old = scalar(handle, beta);
  Uses uses;
  if (!factor.is_surely_zero()) {
    use_operand(uses, "A", A, transa, m, k, lda);
    use_operand(uses, "B", B, transb, k, n, ldb);
  }
  use(uses, "C", C, m, n, ldc, result_access(old));
  cublas::use(uses, "alpha", factor);
  cublas::use(uses, "beta", old);
  return submit(handle, uses,
                [=] { multiply(transa, transb, m, n, k, factor.get(), A, lda, B, ldb, old.get(), C, ldc); });
}
template <class T>
cublasStatus_t gemm3m(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Size m,
                      Size n, Size k, const T* alpha, const T* A, Size lda, const T* B, Size ldb,
                      const T* beta, T* C, Size ldc) {
  return gemm(handle, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
}

/// The product of a symmetric or Hermitian matrix and a general matrix.
template <class T>
cublasStatus_t half_stored(cublasHandle_t handle, const char* base, cublasSideMode_t side,
                           cublasFillMode_t uplo, Size m, Size n, const T* alpha, const T* A, Size lda,
                           const T* B, Size ldb, const T* beta, T* C, Size ldc) {
  const Size order = side == CUBLAS_SIDE_LEFT ? m : n;
  if (const auto status =
          check(handle, {is_side(side), is_triangle(uplo), are_sizes({m, n}), is_leading(lda, order),
                         is_leading(ldb, m), is_leading(ldc, m), alpha != nullptr, beta != nullptr});
      status != ok)
    return status;
  if (m == 0 || n == 0) return ok;
  const auto factor = scalar(handle, alpha);
  const auto old = scalar(handle, beta);
  Uses uses;
  use(uses, "A", A, order, order, lda, Access::reads, shape_of(uplo));
  use(uses, "B", B, m, n, ldb, Access::reads);
  use(uses, "C", C, m, n, ldc, result_access(old));
  cublas::use(uses, "alpha", factor);
  cublas::use(uses, "beta", old);
  return submit(handle, uses, [=] {
    call_for<T>(base, cblas::column_major, cblas::side(side), cblas::uplo(uplo), m, n, factor.get(), A, lda,
                B, ldb, old.get(), C, ldc);
  });
}
template <class T>
cublasStatus_t symm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, Size m, Size n,
                    const T* alpha, const T* A, Size lda, const T* B, Size ldb, const T* beta, T* C,
                    Size ldc) {
  return half_stored(handle, "symm", side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc);
}
template <class T>
cublasStatus_t hemm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, Size m, Size n,
                    const T* alpha, const T* A, Size lda, const T* B, Size ldb, const T* beta, T* C,
                    Size ldc) {
  return half_stored(handle, "hemm", side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc);
}

/// Computes C = alpha op(A) op(A or B)ᵀ + beta C in one triangle.
/// @param hermitian uses conjugated transposes
/// @param compute (alpha, beta); runs on the libraries' thread
template <class T, class F, class G, class Compute>
cublasStatus_t rank_k(cublasHandle_t handle, bool hermitian, cublasFillMode_t uplo, cublasOperation_t trans,
                      Size n, Size k, const F* alpha, const T* A, Size lda, const T* B, Size ldb,
                      const G* beta, T* C, Size ldc, Compute compute) {
  // The conjugated transpose of a real matrix is its transpose.
  const bool fits = trans == CUBLAS_OP_N || (is_complex<T> ? trans == (hermitian ? CUBLAS_OP_C : CUBLAS_OP_T)
                                                           : trans == CUBLAS_OP_T || trans == CUBLAS_OP_C);
  if (const auto status =
          check(handle, {is_triangle(uplo), fits, are_sizes({n, k}), is_leading_of(trans, lda, n, k),
                         B == nullptr || is_leading_of(trans, ldb, n, k), is_leading(ldc, n),
                         alpha != nullptr, beta != nullptr});
      status != ok)
    return status;
  if (n == 0) return ok;
  const auto factor = scalar(handle, alpha);
  const auto old = scalar(handle, beta);
  Uses uses;
  use_operand(uses, "A", A, trans, n, k, lda);
  if (B != nullptr) use_operand(uses, "B", B, trans, n, k, ldb);
  use(uses, "C", C, n, n, ldc, result_access(old), shape_of(uplo));
  cublas::use(uses, "alpha", factor);
  cublas::use(uses, "beta", old);
  return submit(handle, uses, [=] { compute(factor.get(), old.get()); });
}
template <class T>
cublasStatus_t syrk(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, Size n, Size k,
                    const T* alpha, const T* A, Size lda, const T* beta, T* C, Size ldc) {
  return rank_k<T>(handle, false, uplo, trans, n, k, alpha, A, lda, nullptr, 1, beta, C, ldc,
                   [=](T by, T scale) {
                     call_for<T>("syrk", cblas::column_major, cblas::uplo(uplo), cblas::transpose(trans), n,
                                 k, by, A, lda, scale, C, ldc);
                   });
}
template <class T>
cublasStatus_t herk(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, Size n, Size k,
                    const Real<T>* alpha, const T* A, Size lda, const Real<T>* beta, T* C, Size ldc) {
  return rank_k<T>(handle, true, uplo, trans, n, k, alpha, A, lda, nullptr, 1, beta, C, ldc,
                   [=](Real<T> by, Real<T> scale) {
                     call_for<T>("herk", cblas::column_major, cblas::uplo(uplo), cblas::transpose(trans), n,
                                 k, by, A, lda, scale, C, ldc);
                   });
}
template <class T>
cublasStatus_t syr2k(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, Size n, Size k,
                     const T* alpha, const T* A, Size lda, const T* B, Size ldb, const T* beta, T* C,
                     Size ldc) {
  return rank_k(handle, false, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc, [=](T by, T scale) {
    call_for<T>("syr2k", cblas::column_major, cblas::uplo(uplo), cblas::transpose(trans), n, k, by, A, lda, B,
                ldb, scale, C, ldc);
  });
}
template <class T>
cublasStatus_t her2k(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, Size n, Size k,
                     const T* alpha, const T* A, Size lda, const T* B, Size ldb, const Real<T>* beta, T* C,
                     Size ldc) {
  return rank_k(handle, true, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc,
                [=](T by, Real<T> scale) {
                  call_for<T>("her2k", cblas::column_major, cblas::uplo(uplo), cblas::transpose(trans), n, k,
                              by, A, lda, B, ldb, scale, C, ldc);
                });
}
/// Computes one triangle of the product of two matrices. The whole product is computed, but only the triangle
/// is stored.
template <class T, class G>
void triangle_of_product(bool hermitian, cublasFillMode_t uplo, cublasOperation_t trans, Size n, Size k, T by,
                         const T* A, Size lda, const T* B, Size ldb, G scale, T* C, Size ldc) {
  std::vector<T> product(bytes(n * n));
  const cublasOperation_t other = hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
  const bool plain = trans == CUBLAS_OP_N;
  T zero{};
  multiply(plain ? CUBLAS_OP_N : other, plain ? other : CUBLAS_OP_N, n, n, k, by, A, lda, B, ldb, zero,
           product.data(), n);
  const bool lower = uplo == CUBLAS_FILL_MODE_LOWER;
  for (Size j = 0; j < n; ++j)
    for (Size i = lower ? j : 0; i < (lower ? n : j + 1); ++i) {
      auto& at = numbers(C)[i + j * ldc];
      const auto& add = numbers(product.data())[i + j * n];
      at = is_zero(scale) ? add : add + *numbers(&scale) * at;
    }
}
template <class T>
cublasStatus_t syrkx(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, Size n, Size k,
                     const T* alpha, const T* A, Size lda, const T* B, Size ldb, const T* beta, T* C,
                     Size ldc) {
  return rank_k(handle, false, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc, [=](T by, T scale) {
    triangle_of_product(false, uplo, trans, n, k, by, A, lda, B, ldb, scale, C, ldc);
  });
}
template <class T>
cublasStatus_t herkx(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, Size n, Size k,
                     const T* alpha, const T* A, Size lda, const T* B, Size ldb, const Real<T>* beta, T* C,
                     Size ldc) {
  return rank_k(handle, true, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc,
                [=](T by, Real<T> scale) {
                  triangle_of_product(true, uplo, trans, n, k, by, A, lda, B, ldb, scale, C, ldc);
                });
}

/// Declares the use of a triangular matrix. With CUBLAS_DIAG_UNIT, its diagonal is not read.
template <class T>
Uses use_triangle(const T* A, Size order, Size lda, cublasFillMode_t uplo, cublasDiagType_t diag) {
  Uses uses;
  if (diag == CUBLAS_DIAG_NON_UNIT)
    use(uses, "A", A, order, order, lda, Access::reads, shape_of(uplo));
  else
    uses.storage("A", A, sizeof(T) * bytes(lda * (order - 1) + order), Access::reads);
  return uses;
}

/// Computes C = alpha op(A) B, or B op(A), with a triangular A. C may be B.
template <class T>
cublasStatus_t trmm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                    cublasOperation_t trans, cublasDiagType_t diag, Size m, Size n, const T* alpha,
                    const T* A, Size lda, const T* B, Size ldb, T* C, Size ldc) {
  const Size order = side == CUBLAS_SIDE_LEFT ? m : n;
  if (const auto status = check(handle, {is_side(side), is_triangle(uplo), is_plain(trans), are_sizes({m, n}),
                                         is_leading(lda, order), is_leading(ldb, m), is_leading(ldc, m),
                                         alpha != nullptr, B != C || ldb == ldc});
      status != ok)
    return status;
  if (m == 0 || n == 0) return ok;
  const auto factor = scalar(handle, alpha);
  Uses uses = use_triangle(A, order, lda, uplo, diag);
  use(uses, "B", B, m, n, ldb, Access::reads);
  use(uses, "C", C, m, n, ldc, Access::writes);
  cublas::use(uses, "alpha", factor);
  return submit(handle, uses, [=] {
    if (B != C)
      for (Size j = 0; j < n; ++j) std::copy_n(B + j * ldb, m, C + j * ldc);
    call_for<T>("trmm", cblas::column_major, cblas::side(side), cblas::uplo(uplo), cblas::transpose(trans),
                cblas::diag(diag), m, n, factor.get(), A, lda, C, ldc);
  });
}

template <class T>
cublasStatus_t trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                    cublasOperation_t trans, cublasDiagType_t diag, Size m, Size n, const T* alpha,
                    const T* A, Size lda, T* B, Size ldb) {
  const Size order = side == CUBLAS_SIDE_LEFT ? m : n;
  if (const auto status = check(handle, {is_side(side), is_triangle(uplo), is_plain(trans), are_sizes({m, n}),
                                         is_leading(lda, order), is_leading(ldb, m), alpha != nullptr});
      status != ok)
    return status;
  if (m == 0 || n == 0) return ok;
  const auto factor = scalar(handle, alpha);
  Uses uses = use_triangle(A, order, lda, uplo, diag);
  use(uses, "B", B, m, n, ldb, Access::updates);
  cublas::use(uses, "alpha", factor);
  return submit(handle, uses, [=] {
    call_for<T>("trsm", cblas::column_major, cblas::side(side), cblas::uplo(uplo), cblas::transpose(trans),
                cblas::diag(diag), m, n, factor.get(), A, lda, B, ldb);
  });
}

/// Element (i, j) of op(A).
template <class T>
Number<T> element(const T* A, Size lda, cublasOperation_t op, Size i, Size j) {
  if (op == CUBLAS_OP_N) return numbers(A)[i + j * lda];
  const Number<T> found = numbers(A)[j + i * lda];
  return op == CUBLAS_OP_C ? conjugate(found) : found;
}

/// Computes C = alpha op(A) + beta op(B). If a factor is zero, its matrix is not read. C may be A or B if
/// that matrix is not transposed.
template <class T>
cublasStatus_t geam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Size m, Size n,
                    const T* alpha, const T* A, Size lda, const T* beta, const T* B, Size ldb, T* C,
                    Size ldc) {
  if (const auto status = check(
          handle,
          {is_plain(transa), is_plain(transb), are_sizes({m, n}), is_leading_of(transa, lda, m, n),
           is_leading_of(transb, ldb, m, n), is_leading(ldc, m), alpha != nullptr, beta != nullptr,
           A != C || (transa == CUBLAS_OP_N && lda == ldc), B != C || (transb == CUBLAS_OP_N && ldb == ldc)});
      status != ok)
    return status;
  if (m == 0 || n == 0) return ok;
  const auto of_a = scalar(handle, alpha);
  const auto of_b = scalar(handle, beta);
  Uses uses;
  if (!of_a.is_surely_zero()) use_operand(uses, "A", A, transa, m, n, lda);
  if (!of_b.is_surely_zero()) use_operand(uses, "B", B, transb, m, n, ldb);
  use(uses, "C", C, m, n, ldc, Access::writes);
  cublas::use(uses, "alpha", of_a);
  cublas::use(uses, "beta", of_b);
  return submit(handle, uses, [=] {
    const T a = of_a.get(), b = of_b.get();
    for (Size j = 0; j < n; ++j)
      for (Size i = 0; i < m; ++i) {
        Number<T> sum{};
        if (!is_zero(a)) sum += *numbers(&a) * element(A, lda, transa, i, j);
        if (!is_zero(b)) sum += *numbers(&b) * element(B, ldb, transb, i, j);
        numbers(C)[i + j * ldc] = sum;
      }
  });
}

/// Computes C = A diag(x), or diag(x) A. With a negative stride, x is read from its other end.
template <class T>
cublasStatus_t dgmm(cublasHandle_t handle, cublasSideMode_t side, Size m, Size n, const T* A, Size lda,
                    const T* x, Size incx, T* C, Size ldc) {
  if (const auto status =
          check(handle, {is_side(side), are_sizes({m, n}), is_leading(lda, m), is_leading(ldc, m)});
      status != ok)
    return status;
  if (m == 0 || n == 0) return ok;
  const bool left = side == CUBLAS_SIDE_LEFT;
  const Size order = left ? m : n;
  Uses uses;
  use(uses, "A", A, m, n, lda, Access::reads);
  uses.vector("x", x, sizeof(T), bytes(incx == 0 ? 1 : order), incx, Access::reads);
  use(uses, "C", C, m, n, ldc, Access::writes);
  return submit(handle, uses, [=] {
    for (Size j = 0; j < n; ++j)
      for (Size i = 0; i < m; ++i) {
        const Size k = left ? i : j;
        numbers(C)[i + j * ldc] = numbers(A)[i + j * lda] * numbers(x)[(incx < 0 ? k - order + 1 : k) * incx];
      }
  });
}

}  // namespace

}  // namespace cuemu::cublas

#define CUEMU_PART 3
#include "cuemu/cublas/each_type.inc"
