// cuBLAS, level 2: a matrix and vectors.
#include "cublas.hpp"

namespace cuemu::cublas {

namespace {

constexpr cublasStatus_t ok = CUBLAS_STATUS_SUCCESS;

/// Computes y = alpha op(A) x + beta y. The functions differ only in the form of A.
/// @param a the use of A
/// @param multiply calls OpenBLAS with alpha and beta
template <class T, class Multiply>
cublasStatus_t matrix_vector(cublasHandle_t handle, Uses a, const T* alpha, Size x_size, const T* x,
                             Size incx, const T* beta, Size y_size, T* y, Size incy, Multiply multiply) {
  if (const auto status = check(handle, {alpha != nullptr, beta != nullptr, incx != 0, incy != 0});
      status != ok)
    return status;
  if (y_size == 0) return ok;
  const auto factor = scalar(handle, alpha);
  const auto old = scalar(handle, beta);
  a.vector("x", x, sizeof(T), bytes(x_size), incx, Access::reads);
  a.vector("y", y, sizeof(T), bytes(y_size), incy, result_access(old));
  use(a, "alpha", factor);
  use(a, "beta", old);
  return submit(handle, a, [=] {
    const T scale = old.get();
    if (is_zero(scale)) clear(y, y_size, incy);
    multiply(factor.get(), scale);
  });
}

template <class T>
Uses general(const T* A, Size lda, Size m, Size n) {
  return Uses().matrix("A", A, sizeof(T), bytes(m), bytes(n), bytes(lda), Access::reads);
}
/// One triangle of a matrix with n rows.
template <class T>
Uses triangle(const T* A, Size lda, Size n, cublasFillMode_t uplo, Access access = Access::reads) {
  return Uses().matrix("A", A, sizeof(T), bytes(n), bytes(n), bytes(lda), access, shape_of(uplo));
}
template <class T>
Uses packed(const T* AP, Size n, Access access = Access::reads) {
  return Uses().vector("AP", AP, sizeof(T), bytes(n * (n + 1) / 2), 1, access);
}
/// A matrix whose diagonals are stored. Some of the stored elements do not belong to the matrix.
template <class T>
Uses band(const T* A, Size lda, Size n) {
  return Uses().storage("A", A, sizeof(T) * bytes(lda * n), Access::reads);
}

/// Whether the operation is valid. OpenBLAS does not support CUBLAS_OP_CONJG here.
template <class T>
cublasStatus_t gemv(cublasHandle_t handle, cublasOperation_t trans, Size m, Size n, const T* alpha,
                    const T* A, Size lda, const T* x, Size incx, const T* beta, T* y, Size incy) {
  if (const auto status = check(handle, {is_plain(trans), are_sizes({m, n}), is_leading(lda, m)});
      status != ok)
    return status;
  const bool plain = trans == CUBLAS_OP_N;
  if (m == 0 || n == 0) return ok;
  return matrix_vector(handle, general(A, lda, m, n), alpha, plain ? n : m, x, incx, beta, plain ? m : n, y,
                       incy, [=](T by, T scale) {
                         call_for<T>("gemv", cblas::column_major, cblas::transpose(trans), m, n, by, A, lda,
                                     x, incx, scale, y, incy);
                       });
}

template <class T>
cublasStatus_t gbmv(cublasHandle_t handle, cublasOperation_t trans, Size m, Size n, Size kl, Size ku,
                    const T* alpha, const T* A, Size lda, const T* x, Size incx, const T* beta, T* y,
                    Size incy) {
  if (const auto status = check(handle, {is_plain(trans), are_sizes({m, n, kl, ku}), lda >= kl + ku + 1});
      status != ok)
    return status;
  const bool plain = trans == CUBLAS_OP_N;
  if (m == 0 || n == 0) return ok;
  return matrix_vector(handle, band(A, lda, n), alpha, plain ? n : m, x, incx, beta, plain ? m : n, y, incy,
                       [=](T by, T scale) {
                         call_for<T>("gbmv", cblas::column_major, cblas::transpose(trans), m, n, kl, ku, by,
                                     A, lda, x, incx, scale, y, incy);
                       });
}

/// Returns element (i, j) of a symmetric matrix of which one triangle is stored.
template <class T>
const Number<T>& symmetric(const T* A, Size lda, cublasFillMode_t uplo, Size i, Size j) {
  const bool stored = uplo == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
  return numbers(A)[stored ? i + j * lda : j + i * lda];
}
/// Returns element i of a vector whose stride may be negative.
template <class T>
T& element(T* x, Size n, Size step, Size i) {
  return x[(step < 0 ? i - n + 1 : i) * step];
}

template <class T>
cublasStatus_t symv(cublasHandle_t handle, cublasFillMode_t uplo, Size n, const T* alpha, const T* A,
                    Size lda, const T* x, Size incx, const T* beta, T* y, Size incy) {
  if (const auto status = check(handle, {is_triangle(uplo), are_sizes({n}), is_leading(lda, n)});
      status != ok)
    return status;
  return matrix_vector(
      handle, triangle(A, lda, n, uplo), alpha, n, x, incx, beta, n, y, incy, [=](T by, T scale) {
        if constexpr (!is_complex<T>) {
          call_for<T>("symv", cblas::column_major, cblas::uplo(uplo), n, by, A, lda, x, incx, scale, y, incy);
        } else {  // BLAS does not support complex symmetric matrices
          for (Size i = 0; i < n; ++i) {
            Number<T> sum{};
            for (Size j = 0; j < n; ++j)
              sum += symmetric(A, lda, uplo, i, j) * element(numbers(x), n, incx, j);
            auto& at = element(numbers(y), n, incy, i);
            at = *numbers(&by) * sum + *numbers(&scale) * at;
          }
        }
      });
}

/// Computes A = A + alpha x yᵀ (+ alpha y xᵀ) in one triangle. BLAS supports this only for real numbers.
template <class T>
void rank_update(cublasFillMode_t uplo, Size n, const T& alpha, const T* x, Size incx, const T* y, Size incy,
                 bool both, T* A, Size lda) {
  for (Size j = 0; j < n; ++j)
    for (Size i = uplo == CUBLAS_FILL_MODE_LOWER ? j : 0; i < (uplo == CUBLAS_FILL_MODE_LOWER ? n : j + 1);
         ++i) {
      const auto at_x = [&](Size k) { return element(numbers(x), n, incx, k); };
      const auto at_y = [&](Size k) { return element(numbers(y), n, incy, k); };
      auto sum = at_x(i) * at_y(j);
      if (both) sum += at_y(i) * at_x(j);
      numbers(A)[i + j * lda] += *numbers(&alpha) * sum;
    }
}

/// Computes A = alpha x xᵀ + A, also with packed A or with conjugation. `update(alpha)` calls OpenBLAS.
template <class T, class F, class Update>
cublasStatus_t update(cublasHandle_t handle, Uses a, const F* alpha, Size x_size, const T* x, Size incx,
                      Size y_size, const T* y, Size incy, Update update) {
  if (const auto status = check(handle, {alpha != nullptr, incx != 0, incy != 0}); status != ok)
    return status;
  if (x_size == 0 || (y != nullptr && y_size == 0)) return ok;
  const auto factor = scalar(handle, alpha);
  a.vector("x", x, sizeof(T), bytes(x_size), incx, Access::reads);
  if (y != nullptr) a.vector("y", y, sizeof(T), bytes(y_size), incy, Access::reads);
  use(a, "alpha", factor);
  return submit(handle, a, [=] { update(factor.get()); });
}

template <class T>
cublasStatus_t any_ger(cublasHandle_t handle, const char* base, Size m, Size n, const T* alpha, const T* x,
                       Size incx, const T* y, Size incy, T* A, Size lda) {
  if (const auto status = check(handle, {are_sizes({m, n}), is_leading(lda, m)}); status != ok) return status;
  Uses a;
  a.matrix("A", A, sizeof(T), bytes(m), bytes(n), bytes(lda), Access::updates);
  return update(handle, a, alpha, m, x, incx, n, y, incy,
                [=](T by) { call_for<T>(base, cblas::column_major, m, n, by, x, incx, y, incy, A, lda); });
}
template <class T>
cublasStatus_t ger(cublasHandle_t handle, Size m, Size n, const T* alpha, const T* x, Size incx, const T* y,
                   Size incy, T* A, Size lda) {
  return any_ger(handle, "ger", m, n, alpha, x, incx, y, incy, A, lda);
}
template <class T>
cublasStatus_t geru(cublasHandle_t handle, Size m, Size n, const T* alpha, const T* x, Size incx, const T* y,
                    Size incy, T* A, Size lda) {
  return any_ger(handle, "geru", m, n, alpha, x, incx, y, incy, A, lda);
}
template <class T>
cublasStatus_t gerc(cublasHandle_t handle, Size m, Size n, const T* alpha, const T* x, Size incx, const T* y,
                    Size incy, T* A, Size lda) {
  return any_ger(handle, "gerc", m, n, alpha, x, incx, y, incy, A, lda);
}

template <class T>
cublasStatus_t syr(cublasHandle_t handle, cublasFillMode_t uplo, Size n, const T* alpha, const T* x,
                   Size incx, T* A, Size lda) {
  if (const auto status = check(handle, {is_triangle(uplo), are_sizes({n}), is_leading(lda, n)});
      status != ok)
    return status;
  return update<T>(handle, triangle(A, lda, n, uplo, Access::updates), alpha, n, x, incx, 0, nullptr, 1,
                   [=](T by) { rank_update(uplo, n, by, x, incx, x, incx, false, A, lda); });
}
template <class T>
cublasStatus_t syr2(cublasHandle_t handle, cublasFillMode_t uplo, Size n, const T* alpha, const T* x,
                    Size incx, const T* y, Size incy, T* A, Size lda) {
  if (const auto status = check(handle, {is_triangle(uplo), are_sizes({n}), is_leading(lda, n)});
      status != ok)
    return status;
  return update(handle, triangle(A, lda, n, uplo, Access::updates), alpha, n, x, incx, n, y, incy,
                [=](T by) { rank_update(uplo, n, by, x, incx, y, incy, true, A, lda); });
}
template <class T>
cublasStatus_t her(cublasHandle_t handle, cublasFillMode_t uplo, Size n, const Real<T>* alpha, const T* x,
                   Size incx, T* A, Size lda) {
  if (const auto status = check(handle, {is_triangle(uplo), are_sizes({n}), is_leading(lda, n)});
      status != ok)
    return status;
  return update<T>(handle, triangle(A, lda, n, uplo, Access::updates), alpha, n, x, incx, 0, nullptr, 1,
                   [=](Real<T> by) {
                     call_for<T>("her", cblas::column_major, cblas::uplo(uplo), n, by, x, incx, A, lda);
                   });
}
template <class T>
cublasStatus_t her2(cublasHandle_t handle, cublasFillMode_t uplo, Size n, const T* alpha, const T* x,
                    Size incx, const T* y, Size incy, T* A, Size lda) {
  if (const auto status = check(handle, {is_triangle(uplo), are_sizes({n}), is_leading(lda, n)});
      status != ok)
    return status;
  return update(handle, triangle(A, lda, n, uplo, Access::updates), alpha, n, x, incx, n, y, incy, [=](T by) {
    call_for<T>("her2", cblas::column_major, cblas::uplo(uplo), n, by, x, incx, y, incy, A, lda);
  });
}

/// Packed triangles.
template <class T, class F>
cublasStatus_t packed_update(cublasHandle_t handle, const char* base, cublasFillMode_t uplo, Size n,
                             const F* alpha, const T* x, Size incx, T* AP) {
  if (const auto status = check(handle, {is_triangle(uplo), are_sizes({n})}); status != ok) return status;
  return update<T>(handle, packed(AP, n, Access::updates), alpha, n, x, incx, 0, nullptr, 1, [=](F by) {
    call_for<T>(base, cblas::column_major, cblas::uplo(uplo), n, by, x, incx, AP);
  });
}
template <class T>
cublasStatus_t spr(cublasHandle_t handle, cublasFillMode_t uplo, Size n, const T* alpha, const T* x,
                   Size incx, T* AP) {
  return packed_update(handle, "spr", uplo, n, alpha, x, incx, AP);
}
template <class T>
cublasStatus_t hpr(cublasHandle_t handle, cublasFillMode_t uplo, Size n, const Real<T>* alpha, const T* x,
                   Size incx, T* AP) {
  return packed_update(handle, "hpr", uplo, n, alpha, x, incx, AP);
}
template <class T>
cublasStatus_t packed_update2(cublasHandle_t handle, const char* base, cublasFillMode_t uplo, Size n,
                              const T* alpha, const T* x, Size incx, const T* y, Size incy, T* AP) {
  if (const auto status = check(handle, {is_triangle(uplo), are_sizes({n})}); status != ok) return status;
  return update(handle, packed(AP, n, Access::updates), alpha, n, x, incx, n, y, incy, [=](T by) {
    call_for<T>(base, cblas::column_major, cblas::uplo(uplo), n, by, x, incx, y, incy, AP);
  });
}
template <class T>
cublasStatus_t spr2(cublasHandle_t handle, cublasFillMode_t uplo, Size n, const T* alpha, const T* x,
                    Size incx, const T* y, Size incy, T* AP) {
  return packed_update2(handle, "spr2", uplo, n, alpha, x, incx, y, incy, AP);
}
template <class T>
cublasStatus_t hpr2(cublasHandle_t handle, cublasFillMode_t uplo, Size n, const T* alpha, const T* x,
                    Size incx, const T* y, Size incy, T* AP) {
  return packed_update2(handle, "hpr2", uplo, n, alpha, x, incx, y, incy, AP);
}

template <class T>
cublasStatus_t hemv(cublasHandle_t handle, cublasFillMode_t uplo, Size n, const T* alpha, const T* A,
                    Size lda, const T* x, Size incx, const T* beta, T* y, Size incy) {
  if (const auto status = check(handle, {is_triangle(uplo), are_sizes({n}), is_leading(lda, n)});
      status != ok)
    return status;
  return matrix_vector(
      handle, triangle(A, lda, n, uplo), alpha, n, x, incx, beta, n, y, incy, [=](T by, T scale) {
        call_for<T>("hemv", cblas::column_major, cblas::uplo(uplo), n, by, A, lda, x, incx, scale, y, incy);
      });
}

template <class T>
cublasStatus_t band_product(cublasHandle_t handle, const char* base, cublasFillMode_t uplo, Size n, Size k,
                            const T* alpha, const T* A, Size lda, const T* x, Size incx, const T* beta, T* y,
                            Size incy) {
  if (const auto status = check(handle, {is_triangle(uplo), are_sizes({n, k}), lda >= k + 1}); status != ok)
    return status;
  return matrix_vector(handle, band(A, lda, n), alpha, n, x, incx, beta, n, y, incy, [=](T by, T scale) {
    call_for<T>(base, cblas::column_major, cblas::uplo(uplo), n, k, by, A, lda, x, incx, scale, y, incy);
  });
}
template <class T>
cublasStatus_t sbmv(cublasHandle_t handle, cublasFillMode_t uplo, Size n, Size k, const T* alpha, const T* A,
                    Size lda, const T* x, Size incx, const T* beta, T* y, Size incy) {
  return band_product(handle, "sbmv", uplo, n, k, alpha, A, lda, x, incx, beta, y, incy);
}
template <class T>
cublasStatus_t hbmv(cublasHandle_t handle, cublasFillMode_t uplo, Size n, Size k, const T* alpha, const T* A,
                    Size lda, const T* x, Size incx, const T* beta, T* y, Size incy) {
  return band_product(handle, "hbmv", uplo, n, k, alpha, A, lda, x, incx, beta, y, incy);
}

template <class T>
cublasStatus_t packed_product(cublasHandle_t handle, const char* base, cublasFillMode_t uplo, Size n,
                              const T* alpha, const T* AP, const T* x, Size incx, const T* beta, T* y,
                              Size incy) {
  if (const auto status = check(handle, {is_triangle(uplo), are_sizes({n})}); status != ok) return status;
  return matrix_vector(handle, packed(AP, n), alpha, n, x, incx, beta, n, y, incy, [=](T by, T scale) {
    call_for<T>(base, cblas::column_major, cblas::uplo(uplo), n, by, AP, x, incx, scale, y, incy);
  });
}
template <class T>
cublasStatus_t spmv(cublasHandle_t handle, cublasFillMode_t uplo, Size n, const T* alpha, const T* AP,
                    const T* x, Size incx, const T* beta, T* y, Size incy) {
  return packed_product(handle, "spmv", uplo, n, alpha, AP, x, incx, beta, y, incy);
}
template <class T>
cublasStatus_t hpmv(cublasHandle_t handle, cublasFillMode_t uplo, Size n, const T* alpha, const T* AP,
                    const T* x, Size incx, const T* beta, T* y, Size incy) {
  return packed_product(handle, "hpmv", uplo, n, alpha, AP, x, incx, beta, y, incy);
}

/// Computes x = op(A) x, or solves op(A) x = b, with a triangular A in one of three forms.
template <class T, class Apply>
cublasStatus_t triangular(cublasHandle_t handle, Uses a, cublasFillMode_t uplo, cublasOperation_t trans,
                          Size n, T* x, Size incx, bool valid, Apply apply) {
  if (const auto status =
          check(handle, {valid, is_triangle(uplo), is_plain(trans), are_sizes({n}), incx != 0});
      status != ok)
    return status;
  if (n == 0) return ok;
  a.vector("x", x, sizeof(T), bytes(n), incx, Access::updates);
  return submit(handle, a, apply);
}
template <class T>
cublasStatus_t full_triangle(cublasHandle_t handle, const char* base, cublasFillMode_t uplo,
                             cublasOperation_t trans, cublasDiagType_t diag, Size n, const T* A, Size lda,
                             T* x, Size incx) {
  Uses a;
  if (diag == CUBLAS_DIAG_NON_UNIT && n > 0)
    a = triangle(A, lda, n, uplo);
  else if (n > 0)
    a.storage("A", A, sizeof(T) * bytes(lda * (n - 1) + n), Access::reads);
  return triangular(handle, a, uplo, trans, n, x, incx, is_leading(lda, n), [=] {
    call_for<T>(base, cblas::column_major, cblas::uplo(uplo), cblas::transpose(trans), cblas::diag(diag), n,
                A, lda, x, incx);
  });
}
template <class T>
cublasStatus_t trmv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                    cublasDiagType_t diag, Size n, const T* A, Size lda, T* x, Size incx) {
  return full_triangle(handle, "trmv", uplo, trans, diag, n, A, lda, x, incx);
}
template <class T>
cublasStatus_t trsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                    cublasDiagType_t diag, Size n, const T* A, Size lda, T* x, Size incx) {
  return full_triangle(handle, "trsv", uplo, trans, diag, n, A, lda, x, incx);
}
template <class T>
cublasStatus_t band_triangle(cublasHandle_t handle, const char* base, cublasFillMode_t uplo,
                             cublasOperation_t trans, cublasDiagType_t diag, Size n, Size k, const T* A,
                             Size lda, T* x, Size incx) {
  return triangular(handle, band(A, lda, std::max<Size>(n, 0)), uplo, trans, n, x, incx,
                    k >= 0 && lda >= k + 1, [=] {
                      call_for<T>(base, cblas::column_major, cblas::uplo(uplo), cblas::transpose(trans),
                                  cblas::diag(diag), n, k, A, lda, x, incx);
                    });
}
template <class T>
cublasStatus_t tbmv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                    cublasDiagType_t diag, Size n, Size k, const T* A, Size lda, T* x, Size incx) {
  return band_triangle(handle, "tbmv", uplo, trans, diag, n, k, A, lda, x, incx);
}
template <class T>
cublasStatus_t tbsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                    cublasDiagType_t diag, Size n, Size k, const T* A, Size lda, T* x, Size incx) {
  return band_triangle(handle, "tbsv", uplo, trans, diag, n, k, A, lda, x, incx);
}
template <class T>
cublasStatus_t packed_triangle(cublasHandle_t handle, const char* base, cublasFillMode_t uplo,
                               cublasOperation_t trans, cublasDiagType_t diag, Size n, const T* AP, T* x,
                               Size incx) {
  const Size size = std::max<Size>(n, 0);
  return triangular(handle, Uses().storage("AP", AP, sizeof(T) * bytes(size * (size + 1) / 2), Access::reads),
                    uplo, trans, n, x, incx, true, [=] {
                      call_for<T>(base, cblas::column_major, cblas::uplo(uplo), cblas::transpose(trans),
                                  cblas::diag(diag), n, AP, x, incx);
                    });
}
template <class T>
cublasStatus_t tpmv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                    cublasDiagType_t diag, Size n, const T* AP, T* x, Size incx) {
  return packed_triangle(handle, "tpmv", uplo, trans, diag, n, AP, x, incx);
}
template <class T>
cublasStatus_t tpsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                    cublasDiagType_t diag, Size n, const T* AP, T* x, Size incx) {
  return packed_triangle(handle, "tpsv", uplo, trans, diag, n, AP, x, incx);
}

}  // namespace

}  // namespace cuemu::cublas

#define CUEMU_PART 2
#include "cuemu/cublas/each_type.inc"
