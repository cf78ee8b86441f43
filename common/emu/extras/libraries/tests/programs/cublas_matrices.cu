// emucc: -lcublas
// cuBLAS, level 3, in four types of numbers: each form of each function is compared with a plain loop.
#include "blas_support.cuh"

template <class T> struct Blas;
#define OF_ALL(L)                                                                                             \
  static constexpr auto gemm = cublas##L##gemm;                                                               \
  static constexpr auto symm = cublas##L##symm;                                                               \
  static constexpr auto syrk = cublas##L##syrk;                                                               \
  static constexpr auto syr2k = cublas##L##syr2k;                                                             \
  static constexpr auto syrkx = cublas##L##syrkx;                                                             \
  static constexpr auto trmm = cublas##L##trmm;                                                               \
  static constexpr auto trsm = cublas##L##trsm;                                                               \
  static constexpr auto geam = cublas##L##geam;                                                               \
  static constexpr auto dgmm = cublas##L##dgmm;                                                               \
  static constexpr auto gemmBatched = cublas##L##gemmBatched;                                                 \
  static constexpr auto gemmStridedBatched = cublas##L##gemmStridedBatched;                                   \
  static constexpr auto getrfBatched = cublas##L##getrfBatched;                                               \
  static constexpr auto getrsBatched = cublas##L##getrsBatched;                                               \
  static constexpr auto getriBatched = cublas##L##getriBatched;
#define OF_COMPLEX(L)                                                                                         \
  static constexpr auto hemm = cublas##L##hemm;                                                               \
  static constexpr auto herk = cublas##L##herk;                                                               \
  static constexpr auto her2k = cublas##L##her2k;                                                             \
  static constexpr auto herkx = cublas##L##herkx;
template <> struct Blas<float> { OF_ALL(S) };
template <> struct Blas<double> { OF_ALL(D) };
template <> struct Blas<cuComplex> { OF_ALL(C) OF_COMPLEX(C) };
template <> struct Blas<cuDoubleComplex> { OF_ALL(Z) OF_COMPLEX(Z) };

constexpr int m = 7, n = 5, k = 6, ld = 9;

template <class T>
void products(cublasHandle_t handle) {
  const Array<T> A(ld * ld), B(ld * ld);
  const T alpha = number<T>(0.75, -0.5), beta = number<T>(-1.25, 0.5);
  {
    Judge judge{"gemm"};
    for (const auto transa : operations)
      for (const auto transb : operations) {
        const Array<T> C(ld * n);
        require(Blas<T>::gemm(handle, transa, transb, m, n, k, &alpha, A.device, ld, B.device, ld, &beta, C.device, ld), "gemm");
        const auto got = C.download();
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < ld; ++i) {
            if (i >= m) { judge.same(got[i + j * ld], C.host[i + j * ld]); continue; }
            Sum sum;
            sum.add(wide(beta), C.at(i + j * ld));
            for (int p = 0; p < k; ++p) sum.add(wide(alpha), element(A, ld, transa, i, p), element(B, ld, transb, p, j));
            judge.see(got[i + j * ld], sum);
          }
      }
    // If beta is zero, the old value of C must have no effect, even if it is NaN.
    const T zero = number<T>(0);
    Array<T> C(ld * n);
    cudaMemset(C.device, 0xff, ld * n * sizeof(T));
    require(Blas<T>::gemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, A.device, ld, B.device, ld, &zero, C.device, ld), "gemm");
    const auto got = C.download();
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) {
        Sum sum;
        for (int p = 0; p < k; ++p) sum.add(wide(alpha), A.at(i + p * ld), B.at(p + j * ld));
        judge.see(got[i + j * ld], sum);
      }
  }
  for (int hermitian = 0; hermitian <= (is_complex<T> ? 1 : 0); ++hermitian) {
    Judge judge{hermitian ? "hemm" : "symm"};
    for (const auto side : sides)
      for (const auto uplo : triangles) {
        const Array<T> C(ld * n);
        auto function = Blas<T>::symm;
        if constexpr (is_complex<T>)
          if (hermitian) function = Blas<T>::hemm;
        require(function(handle, side, uplo, m, n, &alpha, A.device, ld, B.device, ld, &beta, C.device, ld), "symm");
        const auto got = C.download();
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < m; ++i) {
            Sum sum;
            sum.add(wide(beta), C.at(i + j * ld));
            const bool left = side == CUBLAS_SIDE_LEFT;
            for (int p = 0; p < (left ? m : n); ++p)
              left ? sum.add(wide(alpha), mirrored(A, ld, uplo, hermitian, i, p), B.at(p + j * ld))
                   : sum.add(wide(alpha), B.at(i + p * ld), mirrored(A, ld, uplo, hermitian, p, j));
            judge.see(got[i + j * ld], sum);
          }
      }
  }
}

/// Tests syrk, syr2k and syrkx, and with conjugation herk, her2k and herkx. `call` is the function.
template <class T, class Call>
void rank_updates(const char* name, bool hermitian, int kind, Wide alpha, Wide beta, Call call) {
  const Array<T> A(ld * ld), B(ld * ld);
  Judge judge{name};
  for (const auto uplo : triangles)
    for (int transposed = 0; transposed < 2; ++transposed) {
      const auto op = !transposed ? CUBLAS_OP_N : hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
      Array<T> C(ld * n);
      if (hermitian)
        for (int i = 0; i < n; ++i) set(C.host[i + i * ld], C.at(i + i * ld).real());
      C.upload();
      require(call(uplo, op, A.device, B.device, C.device), name);
      const auto got = C.download();
      const auto turn = [&](Wide x) { return hermitian ? std::conj(x) : x; };
      // Row i of op(M). If M is transposed, this is a column of M.
      const auto row = [&](const Array<T>& M, int i, int p) { return transposed ? turn(M.at(p + i * ld)) : M.at(i + p * ld); };
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
          const int at = i + j * ld;
          if (!in_triangle(uplo, i, j)) { judge.same(got[at], C.host[at]); continue; }
          Sum sum;
          sum.add(beta, C.at(at));
          for (int p = 0; p < k; ++p) {
            const Array<T>& second = kind == 0 ? A : B;
            sum.add(alpha, row(A, i, p), turn(row(second, j, p)));
            if (kind == 1) sum.add(turn(alpha), row(B, i, p), turn(row(A, j, p)));
          }
          judge.see(got[at], sum);
        }
    }
}

template <class T>
void all_rank_updates(cublasHandle_t h) {
  const T alpha = number<T>(0.75, -0.5), beta = number<T>(-1.25, 0.5);
  const Real<T> real_alpha = Real<T>(0.75), real_beta = Real<T>(-1.25);
  rank_updates<T>("syrk", false, 0, wide(alpha), wide(beta), [&](auto uplo, auto op, T* A, T*, T* C) {
    return Blas<T>::syrk(h, uplo, op, n, k, &alpha, A, ld, &beta, C, ld);
  });
  rank_updates<T>("syr2k", false, 1, wide(alpha), wide(beta), [&](auto uplo, auto op, T* A, T* B, T* C) {
    return Blas<T>::syr2k(h, uplo, op, n, k, &alpha, A, ld, B, ld, &beta, C, ld);
  });
  rank_updates<T>("syrkx", false, 2, wide(alpha), wide(beta), [&](auto uplo, auto op, T* A, T* B, T* C) {
    return Blas<T>::syrkx(h, uplo, op, n, k, &alpha, A, ld, B, ld, &beta, C, ld);
  });
  if constexpr (is_complex<T>) {
    rank_updates<T>("herk", true, 0, real_alpha, real_beta, [&](auto uplo, auto op, T* A, T*, T* C) {
      return Blas<T>::herk(h, uplo, op, n, k, &real_alpha, A, ld, &real_beta, C, ld);
    });
    rank_updates<T>("her2k", true, 1, wide(alpha), real_beta, [&](auto uplo, auto op, T* A, T* B, T* C) {
      return Blas<T>::her2k(h, uplo, op, n, k, &alpha, A, ld, B, ld, &real_beta, C, ld);
    });
    // The result is Hermitian only if B is A times a real number.
    rank_updates<T>("herkx", true, 0, real_alpha, real_beta, [&](auto uplo, auto op, T* A, T*, T* C) {
      const T only_real = number<T>(0.75);
      return Blas<T>::herkx(h, uplo, op, n, k, &only_real, A, ld, A, ld, &real_beta, C, ld);
    });
  }
}

template <class T>
void triangles_of_matrices(cublasHandle_t handle) {
  Array<T> A(ld * ld);
  for (int i = 0; i < ld; ++i) set(A.host[i + i * ld], A.at(i + i * ld) + 4.0);  // solutions stay small
  A.upload();
  const T alpha = number<T>(0.75, -0.5);
  Judge product{"trmm"}, solution{"trsm"};
  for (const auto side : sides)
    for (const auto uplo : triangles)
      for (const auto op : operations)
        for (const auto diag : diagonals) {
          const bool left = side == CUBLAS_SIDE_LEFT;
          const Array<T> B(ld * n), C(ld * n), X(ld * n);
          require(Blas<T>::trmm(handle, side, uplo, op, diag, m, n, &alpha, A.device, ld, B.device, ld, C.device, ld), "trmm");
          const auto got = C.download();
          for (int j = 0; j < n; ++j)
            for (int i = 0; i < m; ++i) {
              Sum sum;
              for (int p = 0; p < (left ? m : n); ++p)
                left ? sum.add(wide(alpha), triangular(A, ld, uplo, op, diag, i, p), B.at(p + j * ld))
                     : sum.add(wide(alpha), B.at(i + p * ld), triangular(A, ld, uplo, op, diag, p, j));
              product.see(got[i + j * ld], sum);
            }
          require(Blas<T>::trsm(handle, side, uplo, op, diag, m, n, &alpha, A.device, ld, X.device, ld), "trsm");
          // The residual: op(A) X must be alpha times the old X.
          const auto x = X.download();
          for (int j = 0; j < n; ++j)
            for (int i = 0; i < m; ++i) {
              Sum sum;
              for (int p = 0; p < (left ? m : n); ++p)
                left ? sum.add(triangular(A, ld, uplo, op, diag, i, p), wide(x[p + j * ld]))
                     : sum.add(wide(x[i + p * ld]), triangular(A, ld, uplo, op, diag, p, j));
              const Wide right = wide(alpha) * X.at(i + j * ld);
              sum.size += std::abs(right);
              sum.value = right - sum.value;
              solution.see(number<T>(0), sum);
            }
        }
}

template <class T>
void sums_and_diagonals(cublasHandle_t handle) {
  const Array<T> A(ld * ld), B(ld * ld), x(2 * ld);
  const T alpha = number<T>(0.75, -0.5), beta = number<T>(-1.25, 0.5);
  Judge sums{"geam"}, scaled{"dgmm"};
  for (const auto transa : operations)
    for (const auto transb : operations) {
      const Array<T> C(ld * n);
      require(Blas<T>::geam(handle, transa, transb, m, n, &alpha, A.device, ld, &beta, B.device, ld, C.device, ld), "geam");
      const auto got = C.download();
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
          Sum sum;
          sum.add(wide(alpha), element(A, ld, transa, i, j));
          sum.add(wide(beta), element(B, ld, transb, i, j));
          sums.see(got[i + j * ld], sum);
        }
    }
  for (const auto side : sides) {
    const Array<T> C(ld * n);
    require(Blas<T>::dgmm(handle, side, m, n, A.device, ld, x.device, 2, C.device, ld), "dgmm");
    const auto got = C.download();
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) {
        Sum sum;
        sum.add(A.at(i + j * ld), x.at(2 * (side == CUBLAS_SIDE_LEFT ? i : j)));
        scaled.see(got[i + j * ld], sum);
      }
  }
}

/// An array of device pointers to parts of an array.
template <class T>
struct Pointers {
  T** device = nullptr;
  Pointers(T* first, int stride, int count) {
    std::vector<T*> host(count);
    for (int i = 0; i < count; ++i) host[i] = first + i * stride;
    cudaMalloc(&device, count * sizeof(T*));
    cudaMemcpy(device, host.data(), count * sizeof(T*), cudaMemcpyHostToDevice);
  }
  ~Pointers() { cudaFree(device); }
};

template <class T>
void batches(cublasHandle_t handle) {
  constexpr int count = 3, size = ld * ld;
  const Array<T> A(count * size), B(count * size);
  const T alpha = number<T>(0.75, -0.5), beta = number<T>(-1.25, 0.5);
  {
    Judge judge{"batched"};
    const Pointers<T> a(A.device, size, count), b(B.device, size, count);
    for (int strided = 0; strided < 2; ++strided) {
      const Array<T> C(count * size);
      const Pointers<T> c(C.device, size, count);
      require(strided ? Blas<T>::gemmStridedBatched(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &alpha, A.device, ld, size,
                                                    B.device, ld, 0, &beta, C.device, ld, size, count)
                      : Blas<T>::gemmBatched(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &alpha, a.device, ld, b.device, ld,
                                             &beta, c.device, ld, count),
              "batched");
      const auto got = C.download();
      for (int one = 0; one < count; ++one)
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < m; ++i) {
            Sum sum;
            sum.add(wide(beta), C.at(one * size + i + j * ld));
            for (int p = 0; p < k; ++p)
              sum.add(wide(alpha), A.at(one * size + p + i * ld), B.at((strided ? 0 : one * size) + p + j * ld));
            judge.see(got[one * size + i + j * ld], sum);
          }
    }
  }
  // LU with exchanged rows, solutions and inverses, tested by residuals. Pivots grow little in such matrices.
  for (int exchange = 1; exchange >= 0; --exchange) {
    Judge judge{exchange ? "getrf" : "no pivot"};
    Array<T> M(count * size);
    if (!exchange)
      for (int one = 0; one < count; ++one)
        for (int i = 0; i < ld; ++i) set(M.host[one * size + i + i * ld], M.at(one * size + i + i * ld) + 8.0);
    M.upload();
    const Array<T> X(count * size), Inverse(count * size);
    const Pointers<T> a(M.device, size, count), x(X.device, size, count), inverse(Inverse.device, size, count);
    const Array<float> storage(count * (n + 1));
    int* const pivots = exchange ? reinterpret_cast<int*>(storage.device) : nullptr;
    int* const info = reinterpret_cast<int*>(storage.device) + count * n;
    int checked = -1;
    require(Blas<T>::getrfBatched(handle, n, a.device, ld, pivots, info, count), "getrf");
    require(Blas<T>::getrsBatched(handle, CUBLAS_OP_N, n, 2, a.device, ld, pivots, x.device, ld, &checked, count), "getrs");
    require(Blas<T>::getriBatched(handle, n, a.device, ld, pivots, inverse.device, ld, info, count), "getri");
    const auto got = X.download();
    const auto inverted = Inverse.download();
    for (int one = 0; one < count; ++one)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < 2 + n; ++j) {
          Sum sum;
          for (int p = 0; p < n; ++p)
            sum.add(M.at(one * size + i + p * ld),
                    wide(j < 2 ? got[one * size + p + j * ld] : inverted[one * size + p + (j - 2) * ld]), 16);
          const Wide right = j < 2 ? X.at(one * size + i + j * ld) : Wide(i == j - 2);
          sum.size += std::abs(right);
          sum.value = sum.value / 16.0 - right;
          judge.see(number<T>(0), sum);
        }
    std::printf("%d\n", checked);
  }
}

template <class T>
void all(cublasHandle_t handle, const char* name) {
  std::printf("-- %s\n", name);
  products<T>(handle);
  all_rank_updates<T>(handle);
  triangles_of_matrices<T>(handle);
  sums_and_diagonals<T>(handle);
  batches<T>(handle);
}

int main() {
  cublasHandle_t handle;
  require(cublasCreate(&handle), "cublasCreate");
  all<float>(handle, "float");
  all<double>(handle, "double");
  all<cuComplex>(handle, "cuComplex");
  all<cuDoubleComplex>(handle, "cuDoubleComplex");
  require(cublasDestroy(handle), "cublasDestroy");
  return 0;
}
