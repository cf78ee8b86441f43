// cuBLAS: many small problems in one call. Their operands are given by arrays of pointers in device memory,
// or by strides.
#include "cublas.hpp"

namespace cuemu::cublas {

namespace {

constexpr cublasStatus_t ok = CUBLAS_STATUS_SUCCESS;

/// One operand of each problem of a batch: rows × columns.
template <class P>
struct Batch {
  const char* name;
  P const* array;  ///< in device memory; null: the operands have strides
  P first;         ///< the first operand, if there are strides
  Size stride;     ///< in elements
  Size rows, columns, leading;
  Access access;
  P at(Size i) const { return array != nullptr ? array[i] : first + i * stride; }
};
template <class P>
void add(Uses& uses, const Batch<P>& batch, Size i) {
  uses.matrix(batch.name, batch.at(i), sizeof(*batch.first), bytes(batch.rows), bytes(batch.columns),
              bytes(batch.leading), batch.access);
}

/// Queues `solve(i)` for each problem of a batch.
template <class Solve, class... P>
cublasStatus_t submit_batch(cublasHandle_t handle, Uses uses, Size count, Solve solve, Batch<P>... batches) {
  if (count == 0) return ok;
  const auto arrays = [&](const auto& batch) {
    if (batch.array != nullptr)
      uses.vector(batch.name, batch.array, sizeof(void*), bytes(count), 1, Access::reads);
    else
      for (Size i = 0; i < (batch.stride == 0 ? 1 : count); ++i) add(uses, batch, i);
  };
  (arrays(batches), ...);
  return submit(
      handle, uses,
      [=] {
        for (Size i = 0; i < count; ++i) solve(i);
      },
      [=] {
        Uses behind;
        const auto pointers = [&](const auto& batch) {
          if (batch.array != nullptr)
            for (Size i = 0; i < count; ++i) add(behind, batch, i);
        };
        (pointers(batches), ...);
        return behind;
      });
}

template <class T>
cublasStatus_t products(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Size m,
                        Size n, Size k, const T* alpha, Batch<const T*> A, Batch<const T*> B, const T* beta,
                        Batch<T*> C, Size count) {
  const bool plain_a = transa == CUBLAS_OP_N, plain_b = transb == CUBLAS_OP_N;
  if (const auto status = check_products(handle, transa, transb, m, n, k, alpha, A.leading, B.leading, beta,
                                         C.leading, count);
      status != ok)
    return status;
  if (m == 0 || n == 0) return ok;
  const auto factor = scalar(handle, alpha);
  const auto old = scalar(handle, beta);
  A.rows = plain_a ? m : k, A.columns = plain_a ? k : m;
  B.rows = plain_b ? k : n, B.columns = plain_b ? n : k;
  C.rows = m, C.columns = n, C.access = result_access(old);
  Uses uses;
  use(uses, "alpha", factor);
  use(uses, "beta", old);
  return submit_batch(
      handle, uses, count,
      [=](Size i) {
        multiply(transa, transb, m, n, k, factor.get(), A.at(i), A.leading, B.at(i), B.leading, old.get(),
                 C.at(i), C.leading);
      },
      A, B, C);
}
template <class T>
cublasStatus_t gemmBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Size m,
                           Size n, Size k, const T* alpha, const T* const* A, Size lda, const T* const* B,
                           Size ldb, const T* beta, T* const* C, Size ldc, Size count) {
  if (A == nullptr || B == nullptr || C == nullptr) return check(handle, {count == 0});
  return products<T>(handle, transa, transb, m, n, k, alpha, {"A", A, nullptr, 0, 0, 0, lda, Access::reads},
                     {"B", B, nullptr, 0, 0, 0, ldb, Access::reads}, beta,
                     {"C", C, nullptr, 0, 0, 0, ldc, Access::updates}, count);
}
template <class T>
cublasStatus_t gemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                  Size m, Size n, Size k, const T* alpha, const T* A, Size lda,
                                  long long stride_a, const T* B, Size ldb, long long stride_b, const T* beta,
                                  T* C, Size ldc, long long stride_c, Size count) {
  return products<T>(handle, transa, transb, m, n, k, alpha,
                     {"A", nullptr, A, stride_a, 0, 0, lda, Access::reads},
                     {"B", nullptr, B, stride_b, 0, 0, ldb, Access::reads}, beta,
                     {"C", nullptr, C, stride_c, 0, 0, ldc, Access::updates}, count);
}

template <class T>
cublasStatus_t vector_products(cublasHandle_t handle, cublasOperation_t trans, Size m, Size n, const T* alpha,
                               Batch<const T*> A, Batch<const T*> x, Size incx, const T* beta, Batch<T*> y,
                               Size incy, Size count) {
  if (const auto status = check(handle, {is_plain(trans), are_sizes({m, n, count}), is_leading(A.leading, m),
                                         incx != 0, incy != 0, alpha != nullptr, beta != nullptr});
      status != ok)
    return status;
  if (m == 0 || n == 0) return ok;
  const auto factor = scalar(handle, alpha);
  const auto old = scalar(handle, beta);
  const Size y_size = trans == CUBLAS_OP_N ? m : n;
  A.rows = m, A.columns = n;
  x.rows = y.rows = 1;
  x.columns = m + n - y_size, x.leading = std::abs(incx);
  y.columns = y_size, y.leading = std::abs(incy), y.access = result_access(old);
  Uses uses;
  use(uses, "alpha", factor);
  use(uses, "beta", old);
  return submit_batch(
      handle, uses, count,
      [=](Size i) {
        if (is_zero(old.get())) clear(y.at(i), y_size, incy);
        call_for<T>("gemv", cblas::column_major, cblas::transpose(trans), m, n, factor.get(), A.at(i),
                    A.leading, x.at(i), incx, old.get(), y.at(i), incy);
      },
      A, x, y);
}
template <class T>
cublasStatus_t gemvBatched(cublasHandle_t handle, cublasOperation_t trans, Size m, Size n, const T* alpha,
                           const T* const* A, Size lda, const T* const* x, Size incx, const T* beta,
                           T* const* y, Size incy, Size count) {
  if (A == nullptr || x == nullptr || y == nullptr) return check(handle, {count == 0});
  return vector_products<T>(handle, trans, m, n, alpha, {"A", A, nullptr, 0, 0, 0, lda, Access::reads},
                            {"x", x, nullptr, 0, 0, 0, 1, Access::reads}, incx, beta,
                            {"y", y, nullptr, 0, 0, 0, 1, Access::updates}, incy, count);
}
template <class T>
cublasStatus_t gemvStridedBatched(cublasHandle_t handle, cublasOperation_t trans, Size m, Size n,
                                  const T* alpha, const T* A, Size lda, long long stride_a, const T* x,
                                  Size incx, long long stride_x, const T* beta, T* y, Size incy,
                                  long long stride_y, Size count) {
  return vector_products<T>(handle, trans, m, n, alpha, {"A", nullptr, A, stride_a, 0, 0, lda, Access::reads},
                            {"x", nullptr, x, stride_x, 0, 0, 1, Access::reads}, incx, beta,
                            {"y", nullptr, y, stride_y, 0, 0, 1, Access::updates}, incy, count);
}

template <class T>
cublasStatus_t trsmBatched(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                           cublasOperation_t trans, cublasDiagType_t diag, Size m, Size n, const T* alpha,
                           const T* const* A, Size lda, T* const* B, Size ldb, Size count) {
  const Size order = side == CUBLAS_SIDE_LEFT ? m : n;
  if (const auto status = check(handle, {is_side(side), is_triangle(uplo), is_plain(trans),
                                         are_sizes({m, n, count}), is_leading(lda, order), is_leading(ldb, m),
                                         alpha != nullptr, count == 0 || (A != nullptr && B != nullptr)});
      status != ok)
    return status;
  if (m == 0 || n == 0) return ok;
  const auto factor = scalar(handle, alpha);
  Uses uses;
  use(uses, "alpha", factor);
  const Batch<T*> right{"B", B, nullptr, 0, m, n, ldb, Access::updates};
  // Only the array of pointers is declared here, since the triangle determines which parts of A are read.
  uses.vector("A", A, sizeof(void*), bytes(count), 1, Access::reads);
  return submit_batch(
      handle, uses, count,
      [=](Size i) {
        call_for<T>("trsm", cblas::column_major, cblas::side(side), cblas::uplo(uplo),
                    cblas::transpose(trans), cblas::diag(diag), m, n, factor.get(), A[i], lda, right.at(i),
                    ldb);
      },
      right);
}

// ---- Factorisations in place, with row exchanges as in LAPACK. They are implemented here, since cuBLAS also
// offers them without pivots, which LAPACK lacks.

/// Computes the LU factors of one matrix. @param pivots n numbers, 1-based; null: no rows are exchanged
/// @return 0, or the 1-based place of the first zero on U's diagonal
template <class T>
int factorise(Size n, T* A_, Size lda, int* pivots) {
  auto* const A = numbers(A_);
  int singular = 0;
  for (Size k = 0; k < n; ++k) {
    Size pivot = k;
    if (pivots != nullptr) {
      for (Size i = k + 1; i < n; ++i)
        if (std::abs(A[i + k * lda]) > std::abs(A[pivot + k * lda])) pivot = i;
      pivots[k] = static_cast<int>(pivot + 1);
      if (pivot != k)
        for (Size j = 0; j < n; ++j) std::swap(A[k + j * lda], A[pivot + j * lda]);
    }
    if (A[k + k * lda] == Number<T>(0)) {
      if (singular == 0) singular = static_cast<int>(k + 1);
      continue;
    }
    for (Size i = k + 1; i < n; ++i) A[i + k * lda] /= A[k + k * lda];
    for (Size j = k + 1; j < n; ++j)
      for (Size i = k + 1; i < n; ++i) A[i + j * lda] -= A[i + k * lda] * A[k + j * lda];
  }
  return singular;
}

/// Exchanges B's rows according to the pivots, or reverses the exchanges.
template <class T>
void exchange_rows(Size n, Size columns, T* B, Size ldb, const int* pivots, bool back) {
  if (pivots == nullptr) return;
  for (Size step = 0; step < n; ++step) {
    const Size k = back ? n - 1 - step : step;
    const Size other = pivots[k] - 1;
    if (other != k)
      for (Size j = 0; j < columns; ++j) std::swap(B[k + j * ldb], B[other + j * ldb]);
  }
}

/// Computes B = op(A)⁻¹ B from the factors of A.
template <class T>
void solve(cublasOperation_t trans, Size n, Size columns, const T* A, Size lda, const int* pivots, T* B,
           Size ldb) {
  const auto triangle = [&](cublasFillMode_t uplo, cublasDiagType_t diag) {
    T one{};
    *numbers(&one) = Number<T>(1);
    call_for<T>("trsm", cblas::column_major, cblas::side(CUBLAS_SIDE_LEFT), cblas::uplo(uplo),
                cblas::transpose(trans), cblas::diag(diag), n, columns, one, A, lda, B, ldb);
  };
  if (trans == CUBLAS_OP_N) {
    exchange_rows(n, columns, B, ldb, pivots, false);
    triangle(CUBLAS_FILL_MODE_LOWER, CUBLAS_DIAG_UNIT);
    triangle(CUBLAS_FILL_MODE_UPPER, CUBLAS_DIAG_NON_UNIT);
  } else {
    triangle(CUBLAS_FILL_MODE_UPPER, CUBLAS_DIAG_NON_UNIT);
    triangle(CUBLAS_FILL_MODE_LOWER, CUBLAS_DIAG_UNIT);
    exchange_rows(n, columns, B, ldb, pivots, true);
  }
}
template <class T>
void set_identity(Size n, T* C, Size ldc) {
  for (Size j = 0; j < n; ++j)
    for (Size i = 0; i < n; ++i) numbers(C)[i + j * ldc] = Number<T>(i == j ? 1 : 0);
}

template <class T>
cublasStatus_t getrfBatched(cublasHandle_t handle, int n, T* const* A, int lda, int* pivots, int* info,
                            int count) {
  if (const auto status = check(handle, {are_sizes({n, count}), is_leading(lda, n),
                                         info != nullptr || count == 0, A != nullptr || count == 0});
      status != ok)
    return status;
  Uses uses;
  uses.vector("info", info, sizeof(int), bytes(count), 1, Access::writes);
  if (pivots != nullptr) uses.vector("P", pivots, sizeof(int), bytes(n) * bytes(count), 1, Access::writes);
  const Batch<T*> matrices{"A", A, nullptr, 0, n, n, lda, Access::updates};
  return submit_batch(
      handle, uses, count,
      [=](Size i) {
        info[i] = factorise(n, matrices.at(i), lda, pivots != nullptr ? pivots + i * n : nullptr);
      },
      matrices);
}

template <class T>
cublasStatus_t getrsBatched(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,
                            const T* const* A, int lda, const int* pivots, T* const* B, int ldb, int* info,
                            int count) {
  if (const auto status =
          check(handle, {is_plain(trans), are_sizes({n, nrhs, count}), is_leading(lda, n), is_leading(ldb, n),
                         info != nullptr, count == 0 || (A != nullptr && B != nullptr)});
      status != ok)
    return status;
  *info = 0;  // in the host's memory; reports invalid arguments
  Uses uses;
  if (pivots != nullptr) uses.vector("P", pivots, sizeof(int), bytes(n) * bytes(count), 1, Access::reads);
  const Batch<const T*> factors{"A", A, nullptr, 0, n, n, lda, Access::reads};
  const Batch<T*> right{"B", B, nullptr, 0, n, nrhs, ldb, Access::updates};
  return submit_batch(
      handle, uses, count,
      [=](Size i) {
        solve(trans, n, nrhs, factors.at(i), lda, pivots != nullptr ? pivots + i * n : nullptr, right.at(i),
              ldb);
      },
      factors, right);
}

template <class T>
cublasStatus_t getriBatched(cublasHandle_t handle, int n, const T* const* A, int lda, const int* pivots,
                            T* const* C, int ldc, int* info, int count) {
  if (const auto status = check(handle, {are_sizes({n, count}), is_leading(lda, n), is_leading(ldc, n),
                                         count == 0 || (A != nullptr && C != nullptr && info != nullptr)});
      status != ok)
    return status;
  Uses uses;
  uses.vector("info", info, sizeof(int), bytes(count), 1, Access::writes);
  if (pivots != nullptr) uses.vector("P", pivots, sizeof(int), bytes(n) * bytes(count), 1, Access::reads);
  const Batch<const T*> factors{"A", A, nullptr, 0, n, n, lda, Access::reads};
  const Batch<T*> inverses{"C", C, nullptr, 0, n, n, ldc, Access::writes};
  return submit_batch(
      handle, uses, count,
      [=](Size i) {
        const T* const from = factors.at(i);
        T* const to = inverses.at(i);
        info[i] = 0;
        for (int k = n; k > 0; --k)
          if (is_zero(from[k - 1 + static_cast<Size>(k - 1) * lda])) info[i] = k;
        if (info[i] != 0) return;
        set_identity(n, to, ldc);
        solve(CUBLAS_OP_N, n, n, from, lda, pivots != nullptr ? pivots + i * n : nullptr, to, ldc);
      },
      factors, inverses);
}

/// Inverses of matrices of up to 32 rows.
template <class T>
cublasStatus_t matinvBatched(cublasHandle_t handle, int n, const T* const* A, int lda, T* const* C, int ldc,
                             int* info, int count) {
  if (const auto status =
          check(handle, {are_sizes({n, count}), n <= 32, is_leading(lda, n), is_leading(ldc, n),
                         count == 0 || (A != nullptr && C != nullptr && info != nullptr)});
      status != ok)
    return status;
  Uses uses;
  uses.vector("info", info, sizeof(int), bytes(count), 1, Access::writes);
  const Batch<const T*> matrices{"A", A, nullptr, 0, n, n, lda, Access::reads};
  const Batch<T*> inverses{"Ainv", C, nullptr, 0, n, n, ldc, Access::writes};
  return submit_batch(
      handle, uses, count,
      [=](Size i) {
        std::vector<T> factors(bytes(n) * bytes(n));
        std::vector<int> pivots(bytes(n));
        for (Size j = 0; j < n; ++j) std::copy_n(matrices.at(i) + j * lda, n, factors.data() + j * n);
        info[i] = factorise(n, factors.data(), n, pivots.data());
        if (info[i] != 0) return;
        set_identity(n, inverses.at(i), ldc);
        solve(CUBLAS_OP_N, n, n, factors.data(), n, pivots.data(), inverses.at(i), ldc);
      },
      matrices, inverses);
}

// ---- QR by Householder's reflections, in the form of LAPACK's geqr2: R above, the vectors below, their
// factors apart.

/// Applies the reflection of column k, or its adjoint, to columns of C: C -= factor v (v* C).
template <class N>
void reflect(Size m, Size k, const N* A, Size lda, N factor, Size columns, N* C, Size ldc) {
  for (Size j = 0; j < columns; ++j) {
    N* const c = C + j * ldc;
    N sum = c[k];
    for (Size i = k + 1; i < m; ++i) sum += conjugate(A[i + k * lda]) * c[i];
    sum *= factor;
    c[k] -= sum;
    for (Size i = k + 1; i < m; ++i) c[i] -= A[i + k * lda] * sum;
  }
}

template <class T>
void factorise_qr(Size m, Size n, T* A_, Size lda, T* factors_) {
  using N = Number<T>;
  using R = typename TypeOf<T>::Real;
  N* const A = numbers(A_);
  N* const factors = numbers(factors_);
  for (Size k = 0; k < std::min(m, n); ++k) {
    N& head = A[k + k * lda];
    R below = 0;
    for (Size i = k + 1; i < m; ++i) below = std::hypot(below, std::abs(A[i + k * lda]));
    const N imaginary = head - N(std::real(head));
    factors[k] = N(0);
    if (below == 0 && imaginary == N(0)) continue;
    const R length = std::hypot(std::abs(head), below);
    const R beta = std::real(head) < 0 ? length : -length;
    factors[k] = (N(beta) - head) / beta;
    for (Size i = k + 1; i < m; ++i) A[i + k * lda] /= head - N(beta);
    head = N(beta);
    if (k + 1 < n) reflect(m, k, A, lda, conjugate(factors[k]), n - k - 1, A + (k + 1) * lda, lda);
  }
}

template <class T>
cublasStatus_t geqrfBatched(cublasHandle_t handle, int m, int n, T* const* A, int lda, T* const* factors,
                            int* info, int count) {
  if (const auto status = check(handle, {are_sizes({m, n, count}), is_leading(lda, m), info != nullptr,
                                         count == 0 || (A != nullptr && factors != nullptr)});
      status != ok)
    return status;
  *info = 0;  // in the host's memory; reports invalid arguments
  const Batch<T*> matrices{"A", A, nullptr, 0, m, n, lda, Access::updates};
  const Batch<T*> taus{"Tau",         factors, nullptr, 0, std::min(m, n), 1, std::max(std::min(m, n), 1),
                       Access::writes};
  return submit_batch(
      handle, Uses(), count, [=](Size i) { factorise_qr(m, n, matrices.at(i), lda, taus.at(i)); }, matrices,
      taus);
}

/// Solves least squares for systems with at least as many equations as unknowns.
template <class T>
cublasStatus_t gelsBatched(cublasHandle_t handle, cublasOperation_t trans, int m, int n, int columns,
                           T* const* A, int lda, T* const* C, int ldc, int* info, int* infos, int count) {
  if (const auto status =
          check(handle, {is_plain(trans), are_sizes({m, n, columns, count}), is_leading(lda, m),
                         is_leading(ldc, m), info != nullptr, count == 0 || (A != nullptr && C != nullptr)});
      status != ok)
    return status;
  if (trans != CUBLAS_OP_N || m < n) return CUBLAS_STATUS_NOT_SUPPORTED;
  *info = 0;
  Uses uses;
  if (infos != nullptr) uses.vector("devInfoArray", infos, sizeof(int), bytes(count), 1, Access::writes);
  const Batch<T*> matrices{"A", A, nullptr, 0, m, n, lda, Access::updates};
  const Batch<T*> right{"C", C, nullptr, 0, m, columns, ldc, Access::updates};
  return submit_batch(
      handle, uses, count,
      [=](Size i) {
        T* const from = matrices.at(i);
        std::vector<T> factors(bytes(n));
        factorise_qr(m, n, from, lda, factors.data());
        int singular = 0;
        for (int k = n; k > 0; --k)
          if (is_zero(from[k - 1 + static_cast<Size>(k - 1) * lda])) singular = k;
        if (infos != nullptr) infos[i] = singular;
        if (singular != 0) return;
        for (Size k = 0; k < n; ++k)
          reflect(m, k, numbers(from), lda, conjugate(*numbers(&factors[bytes(k)])), columns,
                  numbers(right.at(i)), ldc);
        T one{};
        *numbers(&one) = Number<T>(1);
        call_for<T>("trsm", cblas::column_major, cblas::side(CUBLAS_SIDE_LEFT),
                    cblas::uplo(CUBLAS_FILL_MODE_UPPER), cblas::transpose(CUBLAS_OP_N),
                    cblas::diag(CUBLAS_DIAG_NON_UNIT), n, columns, one, from, lda, right.at(i), ldc);
      },
      matrices, right);
}

// ---- Batches of several sizes: groups of equal problems. The host's memory describes the groups.
template <class T, class I>
cublasStatus_t grouped(cublasHandle_t handle, const cublasOperation_t* transa,
                       const cublasOperation_t* transb, const I* m, const I* n, const I* k, const T* alpha,
                       const T* const* A, const I* lda, const T* const* B, const I* ldb, const T* beta,
                       T* const* C, const I* ldc, I groups, const I* sizes) {
  if (groups == 0) return check(handle, {});
  if (const auto status =
          check(handle, {groups > 0, transa != nullptr, transb != nullptr, m != nullptr, n != nullptr,
                         k != nullptr, alpha != nullptr, A != nullptr, lda != nullptr, B != nullptr,
                         ldb != nullptr, beta != nullptr, C != nullptr, ldc != nullptr, sizes != nullptr});
      status != ok)
    return status;
  Size first = 0;
  for (I g = 0; g < groups; first += sizes[g++])
    if (const auto status =
            gemmBatched<T>(handle, transa[g], transb[g], m[g], n[g], k[g], alpha + g, A + first, lda[g],
                           B + first, ldb[g], beta + g, C + first, ldc[g], sizes[g]);
        status != ok)
      return status;
  return ok;
}
template <class... Arguments>
cublasStatus_t SgemmGroupedBatched(Arguments... arguments) {
  return grouped<float>(arguments...);
}
template <class... Arguments>
cublasStatus_t DgemmGroupedBatched(Arguments... arguments) {
  return grouped<double>(arguments...);
}

}  // namespace

}  // namespace cuemu::cublas

#define CUEMU_PART 4
#include "cuemu/cublas/each_type.inc"
