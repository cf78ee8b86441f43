// For the programs that compare cuBLAS with plain loops. Everything is computed again in double. A result may
// have the error that the theory allows: for a sum of k products, at most γ = (k + 4) · eps times the sum of
// the products' absolute values. Complex numbers have twice as many roundings.
#pragma once
#include <cublas_v2.h>

#include <algorithm>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <vector>

using Wide = std::complex<double>;

inline Wide wide(float x) { return x; }
inline Wide wide(double x) { return x; }
inline Wide wide(cuComplex x) { return {x.x, x.y}; }
inline Wide wide(cuDoubleComplex x) { return {x.x, x.y}; }
inline void set(float& to, Wide x) { to = static_cast<float>(x.real()); }
inline void set(double& to, Wide x) { to = x.real(); }
inline void set(cuComplex& to, Wide x) { to = make_cuComplex(static_cast<float>(x.real()), static_cast<float>(x.imag())); }
inline void set(cuDoubleComplex& to, Wide x) { to = make_cuDoubleComplex(x.real(), x.imag()); }
template <class T>
T number(double re, double im = 0) {
  T result;
  set(result, {re, im});
  return result;
}

template <class T> struct RealOf { using type = T; static constexpr bool complex = false; };
template <> struct RealOf<cuComplex> { using type = float; static constexpr bool complex = true; };
template <> struct RealOf<cuDoubleComplex> { using type = double; static constexpr bool complex = true; };
template <class T> using Real = typename RealOf<T>::type;
template <class T> constexpr bool is_complex = RealOf<T>::complex;
template <class T> constexpr double epsilon = sizeof(Real<T>) == 4 ? 1.2e-7 : 2.3e-16;

inline void require(cublasStatus_t status, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::printf("%s: %s\n", what, cublasGetStatusName(status));
  std::exit(1);
}

/// An array of random numbers in [−1, 1), on the host and on the device.
template <class T>
struct Array {
  std::vector<T> host;
  T* device = nullptr;
  explicit Array(std::size_t count) : host(count) {
    static unsigned state = 12345;
    const auto next = [] {
      state = state * 1664525u + 1013904223u;
      return static_cast<int>(state >> 8) / 8388608.0 - 1;
    };
    for (T& one : host) {
      const double re = next();
      set(one, {re, next()});
    }
    cudaMalloc(&device, count * sizeof(T));
    upload();
  }
  Array(const Array&) = delete;
  ~Array() { cudaFree(device); }
  void upload() { cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice); }
  std::vector<T> download() const {
    std::vector<T> result(host.size());
    cudaMemcpy(result.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost);
    return result;
  }
  Wide at(std::size_t i) const { return wide(host[i]); }
};

/// The exact sum of products, and the sum of their absolute values.
struct Sum {
  Wide value = 0;
  double size = 0;
  int terms = 0;
  void add(Wide a, Wide b = 1, Wide c = 1) {
    value += a * b * c;
    size += std::abs(a) * std::abs(b) * std::abs(c);
    ++terms;
  }
};

/// Counts elements whose error is larger than the theory allows.
struct Judge {
  const char* name;
  int elements = 0, wrong = 0;
  template <class T>
  void see(T got, const Sum& right) {
    ++elements;
    const double bound = (is_complex<T> ? 2 : 1) * (right.terms + 4) * epsilon<T> * right.size;
    if (!(std::abs(wide(got) - right.value) <= bound)) ++wrong;
  }
  /// Data that a call must not change.
  template <class T>
  void same(T got, T before) {
    ++elements;
    if (wide(got) != wide(before)) ++wrong;
  }
  ~Judge() { std::printf("%-8s %5d elements, %d wrong\n", name, elements, wrong); }
};

/// Element (i, j) of op(A).
template <class T>
Wide element(const Array<T>& A, int lda, cublasOperation_t op, int i, int j) {
  const Wide found = op == CUBLAS_OP_N ? A.at(i + j * lda) : A.at(j + i * lda);
  return op == CUBLAS_OP_C ? std::conj(found) : found;
}
/// Element (i, j) of a symmetric or Hermitian matrix of which one triangle is used.
template <class T>
Wide mirrored(const Array<T>& A, int lda, cublasFillMode_t uplo, bool hermitian, int i, int j) {
  const bool stored = uplo == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
  const Wide found = stored ? A.at(i + j * lda) : A.at(j + i * lda);
  if (!hermitian) return found;
  return i == j ? Wide(found.real()) : stored ? found : std::conj(found);
}
/// Element (i, j) of op(A) with a triangular A.
template <class T>
Wide triangular(const Array<T>& A, int lda, cublasFillMode_t uplo, cublasOperation_t op, cublasDiagType_t diag, int i, int j) {
  if (op != CUBLAS_OP_N) std::swap(i, j);
  if (i == j && diag == CUBLAS_DIAG_UNIT) return 1;
  const bool stored = uplo == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
  const Wide found = stored ? A.at(i + j * lda) : 0;
  return op == CUBLAS_OP_C ? std::conj(found) : found;
}
inline bool in_triangle(cublasFillMode_t uplo, int i, int j) {
  return uplo == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
}

constexpr cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
constexpr cublasFillMode_t triangles[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
constexpr cublasSideMode_t sides[] = {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT};
constexpr cublasDiagType_t diagonals[] = {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT};
