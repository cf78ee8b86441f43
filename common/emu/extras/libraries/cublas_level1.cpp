// cuBLAS, level 1: vectors.
#include <cmath>

#include "cublas.hpp"

namespace cuemu::cublas {

namespace {

constexpr cublasStatus_t ok = CUBLAS_STATUS_SUCCESS;

/// Vectors x and y of n elements.
template <class T>
Uses two(const T* x, Size n, Size incx, Access x_access, const T* y, Size incy, Access y_access) {
  Uses uses;
  uses.vector("x", x, sizeof(T), bytes(n), incx, x_access)
      .vector("y", y, sizeof(T), bytes(n), incy, y_access);
  return uses;
}
template <class T>
Uses one(const T* x, Size n, Size incx, Access access) {
  Uses uses;
  uses.vector("x", x, sizeof(T), bytes(n), incx, access);
  return uses;
}

/// Element i of a vector whose stride may be negative.
template <class T>
T& element(T* x, Size n, Size step, Size i) {
  return x[(step < 0 ? i - n + 1 : i) * step];
}

/// Returns zero at once if a vector has no elements, without reading it.
template <class R>
cublasStatus_t zero(cublasHandle_t handle, R* result) {
  return submit_result(handle, {}, result, [] { return R{}; });
}

/// Returns the 1-based index of the element with the largest or smallest |re| + |im|.
template <class T, class Index>
cublasStatus_t extreme(cublasHandle_t handle, const char* which, Size n, const T* x, Size incx,
                       Index* result) {
  if (const auto status = check(handle, {result != nullptr}); status != ok) return status;
  if (n <= 0 || incx <= 0) return zero(handle, result);
  return submit_result(handle, one(x, n, incx, Access::reads), result, [=] {
    return static_cast<Index>(call<std::size_t>(std::string("i") + letter<T> + which, n, x, incx) + 1);
  });
}
template <class T, class Index>
cublasStatus_t amax(cublasHandle_t handle, Size n, const T* x, Size incx, Index* result) {
  return extreme(handle, "amax", n, x, incx, result);
}
template <class T, class Index>
cublasStatus_t amin(cublasHandle_t handle, Size n, const T* x, Size incx, Index* result) {
  return extreme(handle, "amin", n, x, incx, result);
}

template <class T>
cublasStatus_t norm(cublasHandle_t handle, const char* which, Size n, const T* x, Size incx,
                    Real<T>* result) {
  if (const auto status = check(handle, {result != nullptr}); status != ok) return status;
  if (n <= 0 || incx <= 0) return zero(handle, result);
  const std::string letters = !is_complex<T> ? std::string(1, letter<T>) : letter<T> == 'c' ? "sc" : "dz";
  return submit_result(handle, one(x, n, incx, Access::reads), result,
                       [=] { return call<Real<T>>(letters + which, n, x, incx); });
}
template <class T>
cublasStatus_t asum(cublasHandle_t handle, Size n, const T* x, Size incx, Real<T>* result) {
  if constexpr (!is_complex<T>) {
    return norm(handle, "asum", n, x, incx, result);
  } else {
    // scasum of OpenBLAS 0.3.21 is wrong for 9 or more elements, on processors that it takes for a Cooper
    // Lake. So the sum is computed here.
    if (const auto status = check(handle, {result != nullptr}); status != ok) return status;
    if (n <= 0 || incx <= 0) return zero(handle, result);
    return submit_result(handle, one(x, n, incx, Access::reads), result, [=] {
      double sum = 0;
      for (Size i = 0; i < n; ++i) {
        const auto* const parts = reinterpret_cast<const Real<T>*>(x + i * incx);
        sum += std::abs(static_cast<double>(parts[0])) + std::abs(static_cast<double>(parts[1]));
      }
      return static_cast<Real<T>>(sum);
    });
  }
}
template <class T>
cublasStatus_t nrm2(cublasHandle_t handle, Size n, const T* x, Size incx, Real<T>* result) {
  return norm(handle, "nrm2", n, x, incx, result);
}

template <class T>
cublasStatus_t axpy(cublasHandle_t handle, Size n, const T* alpha, const T* x, Size incx, T* y, Size incy) {
  if (const auto status = check(handle, {alpha != nullptr}); status != ok) return status;
  if (n <= 0) return ok;
  const auto factor = scalar(handle, alpha);
  Uses uses = two(x, n, incx, Access::reads, y, incy, Access::updates);
  use(uses, "alpha", factor);
  return submit(handle, uses, [=] { call_for<T>("axpy", n, factor.get(), x, incx, y, incy); });
}

template <class T>
cublasStatus_t copy(cublasHandle_t handle, Size n, const T* x, Size incx, T* y, Size incy) {
  if (const auto status = check(handle, {}); status != ok || n <= 0) return status;
  return submit(handle, two(x, n, incx, Access::reads, y, incy, Access::writes),
                [=] { call_for<T>("copy", n, x, incx, y, incy); });
}

template <class T>
cublasStatus_t swap(cublasHandle_t handle, Size n, T* x, Size incx, T* y, Size incy) {
  if (const auto status = check(handle, {}); status != ok || n <= 0) return status;
  return submit(handle, two(x, n, incx, Access::updates, y, incy, Access::updates),
                [=] { call_for<T>("swap", n, x, incx, y, incy); });
}

/// @tparam F the factor's type: T, or the type of T's real part
template <class T, class F>
cublasStatus_t scal(cublasHandle_t handle, Size n, const F* alpha, T* x, Size incx) {
  if (const auto status = check(handle, {alpha != nullptr}); status != ok) return status;
  if (n <= 0 || incx <= 0) return ok;
  const auto factor = scalar(handle, alpha);
  Uses uses = one(x, n, incx, Access::updates);
  use(uses, "alpha", factor);
  return submit(handle, uses, [=] {
    const F value = factor.get();
    for (Size i = 0; i < n; ++i) numbers(x)[i * incx] *= *numbers(&value);
  });
}

/// @param conjugated whether x's elements are conjugated
template <class T>
cublasStatus_t any_dot(cublasHandle_t handle, bool conjugated, Size n, const T* x, Size incx, const T* y,
                       Size incy, T* result) {
  if (const auto status = check(handle, {result != nullptr}); status != ok) return status;
  if (n <= 0) return zero(handle, result);
  return submit_result(handle, two(x, n, incx, Access::reads, y, incy, Access::reads), result, [=] {
    T sum{};
    if constexpr (is_complex<T>)
      call_for<T>(conjugated ? "dotc_sub" : "dotu_sub", n, x, incx, y, incy, &sum);
    else
      sum = call<T>(letter<T> + std::string("dot"), n, x, incx, y, incy);
    return sum;
  });
}
template <class T>
cublasStatus_t dot(cublasHandle_t handle, Size n, const T* x, Size incx, const T* y, Size incy, T* result) {
  return any_dot(handle, false, n, x, incx, y, incy, result);
}
template <class T>
cublasStatus_t dotu(cublasHandle_t handle, Size n, const T* x, Size incx, const T* y, Size incy, T* result) {
  return any_dot(handle, false, n, x, incx, y, incy, result);
}
template <class T>
cublasStatus_t dotc(cublasHandle_t handle, Size n, const T* x, Size incx, const T* y, Size incy, T* result) {
  return any_dot(handle, true, n, x, incx, y, incy, result);
}

/// Rotates x and y: x, y = c x + s y, c y − conj(s) x. s has the type T, or the type of T's real part.
template <class T, class S>
cublasStatus_t rot(cublasHandle_t handle, Size n, T* x, Size incx, T* y, Size incy, const Real<T>* c,
                   const S* s) {
  if (const auto status = check(handle, {c != nullptr, s != nullptr}); status != ok) return status;
  if (n <= 0) return ok;
  const auto cosine = scalar(handle, c);
  const auto sine = scalar(handle, s);
  Uses uses = two(x, n, incx, Access::updates, y, incy, Access::updates);
  use(uses, "c", cosine);
  use(uses, "s", sine);
  return submit(handle, uses, [=] {
    const Real<T> by_c = cosine.get();
    const S value = sine.get();
    const auto by_s = *numbers(&value);
    for (Size i = 0; i < n; ++i) {
      auto& at_x = element(numbers(x), n, incx, i);
      auto& at_y = element(numbers(y), n, incy, i);
      const auto turned = by_c * at_x + by_s * at_y;
      at_y = by_c * at_y - conjugate(by_s) * at_x;
      at_x = turned;
    }
  });
}

template <class T>
cublasStatus_t rotm(cublasHandle_t handle, Size n, T* x, Size incx, T* y, Size incy, const T* param) {
  if (const auto status = check(handle, {param != nullptr}); status != ok) return status;
  if (n <= 0) return ok;
  struct Parameters {
    T values[5];
  };
  Parameters kept{};
  const bool on_device = handle->pointers == CUBLAS_POINTER_MODE_DEVICE;
  if (!on_device) std::copy_n(param, 5, kept.values);
  Uses uses = two(x, n, incx, Access::updates, y, incy, Access::updates);
  if (on_device) uses.vector("param", param, sizeof(T), 5, 1, Access::reads);
  return submit(handle, uses, [=] {
    const T* const values = on_device ? param : kept.values;
    call_for<T>("rotm", n, x, incx, y, incy, values);
  });
}

/// Finds the rotation of (a, b) to (r, 0): BLAS's rotg, whose arguments are also results. For complex numbers
/// the rotation is computed here, since OpenBLAS 0.3.26 loses the imaginary part of r.
template <class T>
void make_rotation(T* a, T* b, Real<T>* c, T* s) {
  if constexpr (!is_complex<T>) {
    call_for<T>("rotg", a, b, c, s);
  } else {
    const std::complex<double> from(*numbers(a)), to_zero(*numbers(b));
    const double size = std::abs(from), norm = std::hypot(size, std::abs(to_zero));
    const std::complex<double> direction = size == 0 ? 1 : from / size;
    *c = static_cast<Real<T>>(size == 0 ? 0 : size / norm);
    *numbers(s) = Number<T>(size == 0 ? 1 : direction * (std::conj(to_zero) / norm));
    *numbers(a) = Number<T>(size == 0 ? to_zero : direction * norm);
  }
}
template <class T>
cublasStatus_t rotg(cublasHandle_t handle, T* a, T* b, Real<T>* c, T* s) {
  if (const auto status = check(handle, {a != nullptr, b != nullptr, c != nullptr, s != nullptr});
      status != ok)
    return status;
  if (handle->pointers == CUBLAS_POINTER_MODE_HOST) {
    make_rotation(a, b, c, s);
    return ok;
  }
  Uses uses;
  uses.vector("a", a, sizeof(T), 1, 1, Access::updates).vector("b", b, sizeof(T), 1, 1, Access::updates);
  uses.vector("c", c, sizeof(Real<T>), 1, 1, Access::writes).vector("s", s, sizeof(T), 1, 1, Access::writes);
  return submit(handle, uses, [=] { make_rotation(a, b, c, s); });
}

template <class T>
cublasStatus_t rotmg(cublasHandle_t handle, T* d1, T* d2, T* x1, const T* y1, T* param) {
  if (const auto status =
          check(handle, {d1 != nullptr, d2 != nullptr, x1 != nullptr, y1 != nullptr, param != nullptr});
      status != ok)
    return status;
  const auto work = [=] { call_for<T>("rotmg", d1, d2, x1, *y1, param); };
  if (handle->pointers == CUBLAS_POINTER_MODE_HOST) {
    work();
    return ok;
  }
  Uses uses;
  for (T* const both : {d1, d2, x1}) uses.vector("d1, d2 or x1", both, sizeof(T), 1, 1, Access::updates);
  uses.vector("y1", y1, sizeof(T), 1, 1, Access::reads)
      .vector("param", param, sizeof(T), 5, 1, Access::writes);
  return submit(handle, uses, work);
}

}  // namespace

}  // namespace cuemu::cublas

#define CUEMU_PART 1
#include "cuemu/cublas/each_type.inc"
