// emucc: -lcublas
// sanitizers: not thread, which does not see how the threads of OpenBLAS wait for each other
// cuBLAS, levels 1 and 2, in four types of numbers: each function is compared with a plain loop.
#include <cmath>

#include "blas_support.cuh"

template <class T> struct Blas;
#define OF_ALL(L)                                        \
  static constexpr auto axpy = cublas##L##axpy;          \
  static constexpr auto copy = cublas##L##copy;          \
  static constexpr auto swap = cublas##L##swap;          \
  static constexpr auto scal = cublas##L##scal;          \
  static constexpr auto rot = cublas##L##rot;            \
  static constexpr auto rotg = cublas##L##rotg;          \
  static constexpr auto gemv = cublas##L##gemv;          \
  static constexpr auto gbmv = cublas##L##gbmv;          \
  static constexpr auto symv = cublas##L##symv;          \
  static constexpr auto syr = cublas##L##syr;            \
  static constexpr auto syr2 = cublas##L##syr2;          \
  static constexpr auto trmv = cublas##L##trmv;          \
  static constexpr auto trsv = cublas##L##trsv;          \
  static constexpr auto tbmv = cublas##L##tbmv;          \
  static constexpr auto tbsv = cublas##L##tbsv;          \
  static constexpr auto tpmv = cublas##L##tpmv;          \
  static constexpr auto tpsv = cublas##L##tpsv;
#define OF_REAL(L)                                       \
  static constexpr auto dot = cublas##L##dot;            \
  static constexpr auto asum = cublas##L##asum;          \
  static constexpr auto nrm2 = cublas##L##nrm2;          \
  static constexpr auto rotm = cublas##L##rotm;          \
  static constexpr auto ger = cublas##L##ger;            \
  static constexpr auto sbmv = cublas##L##sbmv;          \
  static constexpr auto spmv = cublas##L##spmv;          \
  static constexpr auto spr = cublas##L##spr;            \
  static constexpr auto spr2 = cublas##L##spr2;
#define OF_COMPLEX(L)                                    \
  static constexpr auto dot = cublas##L##dotc;           \
  static constexpr auto dotu = cublas##L##dotu;          \
  static constexpr auto ger = cublas##L##gerc;           \
  static constexpr auto geru = cublas##L##geru;          \
  static constexpr auto hemv = cublas##L##hemv;          \
  static constexpr auto sbmv = cublas##L##hbmv;          \
  static constexpr auto spmv = cublas##L##hpmv;          \
  static constexpr auto her = cublas##L##her;            \
  static constexpr auto her2 = cublas##L##her2;          \
  static constexpr auto spr = cublas##L##hpr;            \
  static constexpr auto spr2 = cublas##L##hpr2;
#define OF_INDEX(L)                                      \
  static constexpr auto amax = cublasI##L##amax;         \
  static constexpr auto amin = cublasI##L##amin;
#define OF_NORM(L)                                       \
  static constexpr auto asum = cublas##L##asum;          \
  static constexpr auto nrm2 = cublas##L##nrm2;
#define OF_MIXED(L)                                      \
  static constexpr auto real_scal = cublas##L##scal;     \
  static constexpr auto real_rot = cublas##L##rot;
template <> struct Blas<float> { OF_ALL(S) OF_REAL(S) OF_INDEX(s) };
template <> struct Blas<double> { OF_ALL(D) OF_REAL(D) OF_INDEX(d) };
template <> struct Blas<cuComplex> { OF_ALL(C) OF_COMPLEX(C) OF_INDEX(c) OF_NORM(Sc) OF_MIXED(Cs) };
template <> struct Blas<cuDoubleComplex> { OF_ALL(Z) OF_COMPLEX(Z) OF_INDEX(z) OF_NORM(Dz) OF_MIXED(Zd) };

constexpr int n = 23;

/// Element i of a vector with a stride. If the stride is negative, the vector begins at its other end.
int place(int i, int step, int count = n) { return (step < 0 ? i - count + 1 : i) * step; }

template <class T>
void vectors(cublasHandle_t h) {
  const T alpha = number<T>(0.75, -0.5);
  const Array<T> x(3 * n), y(3 * n);
  {
    Judge judge{"level 1"};
    // The strides are 2 and −3, so the second vector is read from its end.
    const Array<T> a(3 * n), b(3 * n), c(3 * n), d(3 * n), e(3 * n), f(3 * n);
    require(Blas<T>::axpy(h, n, &alpha, x.device, 2, a.device, -3), "axpy");
    require(Blas<T>::copy(h, n, x.device, 2, b.device, -3), "copy");
    require(Blas<T>::swap(h, n, c.device, 2, d.device, -3), "swap");
    require(Blas<T>::scal(h, n, &alpha, e.device, 2), "scal");
    const auto got_a = a.download(), got_b = b.download(), got_c = c.download(), got_d = d.download(), got_e = e.download();
    for (int i = 0; i < n; ++i) {
      const int at = place(i, -3);
      Sum sum;
      sum.add(a.at(at));
      sum.add(wide(alpha), x.at(2 * i));
      judge.see(got_a[at], sum);
      judge.same(got_b[at], x.host[2 * i]);
      judge.same(got_c[2 * i], d.host[at]);
      judge.same(got_d[at], c.host[2 * i]);
      Sum scaled;
      scaled.add(wide(alpha), e.at(2 * i));
      judge.see(got_e[2 * i], scaled);
      judge.same(got_e[2 * i + 1], e.host[2 * i + 1]);
    }
    // Results on the host: the call waits for them.
    T product;
    require(Blas<T>::dot(h, n, x.device, 1, y.device, 2, &product), "dot");
    Sum sum;
    for (int i = 0; i < n; ++i) sum.add(std::conj(x.at(i)), y.at(2 * i));
    judge.see(product, sum);
    if constexpr (is_complex<T>) {
      require(Blas<T>::dotu(h, n, x.device, 1, y.device, 2, &product), "dotu");
      Sum plain;
      for (int i = 0; i < n; ++i) plain.add(x.at(i), y.at(2 * i));
      judge.see(product, plain);
    }
    Real<T> norm, absolute;
    int largest, smallest;
    require(Blas<T>::nrm2(h, n, x.device, 1, &norm), "nrm2");
    require(Blas<T>::asum(h, n, x.device, 1, &absolute), "asum");
    require(Blas<T>::amax(h, n, x.device, 1, &largest), "amax");
    require(Blas<T>::amin(h, n, x.device, 1, &smallest), "amin");
    Sum squares, sizes;
    int high = 0, low = 0;
    const auto size = [&](int i) { return std::abs(x.at(i).real()) + std::abs(x.at(i).imag()); };
    for (int i = 0; i < n; ++i) {
      squares.add(std::norm(x.at(i)));
      sizes.add(size(i));
      if (size(i) > size(high)) high = i;
      if (size(i) < size(low)) low = i;
    }
    judge.see(norm * norm, squares);
    judge.see(absolute, sizes);
    std::printf("largest %d, smallest %d\n", largest - high, smallest - low);  // counted from 1
    require(Blas<T>::amax(h, 0, x.device, 1, &largest), "amax");
    std::printf("of nothing: %d\n", largest);
  }
  {
    Judge judge{"rotated"};
    // The rotation from rotg must turn its own pair to (r, 0).
    T a = number<T>(3, 1), b = number<T>(-4, 2), s;
    const Wide before_a = wide(a), before_b = wide(b);
    Real<T> c;
    require(Blas<T>::rotg(h, &a, &b, &c, &s), "rotg");
    Sum r, zero;
    r.add(Wide(c), before_a), r.add(wide(s), before_b);
    judge.see(a, r);
    zero.add(Wide(c), before_b), zero.add(-std::conj(wide(s)), before_a);
    judge.see(number<T>(0), zero);
    for (int real = 0; real <= (is_complex<T> ? 1 : 0); ++real) {
      const Array<T> p(n), q(n);
      Real<T> only_real = Real<T>(0.6);
      if constexpr (is_complex<T>) {
        if (real) require(Blas<T>::real_rot(h, n, p.device, 1, q.device, 1, &c, &only_real), "rot");
      }
      if (!real) require(Blas<T>::rot(h, n, p.device, 1, q.device, 1, &c, &s), "rot");
      const Wide sine = real ? Wide(only_real) : wide(s);
      const auto got_p = p.download(), got_q = q.download();
      for (int i = 0; i < n; ++i) {
        Sum first, second;
        first.add(Wide(c), p.at(i)), first.add(sine, q.at(i));
        second.add(Wide(c), q.at(i)), second.add(-std::conj(sine), p.at(i));
        judge.see(got_p[i], first);
        judge.see(got_q[i], second);
      }
    }
    if constexpr (is_complex<T>) {
      const Array<T> p(n);
      const Real<T> factor = Real<T>(-1.5);
      require(Blas<T>::real_scal(h, n, &factor, p.device, 1), "scal");
      const auto got = p.download();
      for (int i = 0; i < n; ++i) {
        Sum sum;
        sum.add(p.at(i), Wide(factor));
        judge.see(got[i], sum);
      }
    } else {
      const Array<T> p(n), q(n);
      const T param[5] = {-1, T(0.5), T(-2), T(3), T(0.25)};  // h11, h21, h12, h22
      require(Blas<T>::rotm(h, n, p.device, 1, q.device, 1, param), "rotm");
      const auto got_p = p.download(), got_q = q.download();
      for (int i = 0; i < n; ++i) {
        Sum first, second;
        first.add(param[1], p.at(i)), first.add(param[3], q.at(i));
        second.add(param[2], p.at(i)), second.add(param[4], q.at(i));
        judge.see(got_p[i], first);
        judge.see(got_q[i], second);
      }
    }
  }
}

constexpr int rows = 7, columns = 5, ld = 9;

template <class T>
void general(cublasHandle_t h) {
  const Array<T> A(ld * ld), x(3 * ld);
  const T alpha = number<T>(0.75, -0.5), beta = number<T>(-1.25, 0.5);
  Judge judge{"gemv"}, banded{"gbmv"};
  for (const auto op : operations) {
    const int in = op == CUBLAS_OP_N ? columns : rows, out = op == CUBLAS_OP_N ? rows : columns;
    const Array<T> y(3 * ld), z(3 * ld);
    require(Blas<T>::gemv(h, op, rows, columns, &alpha, A.device, ld, x.device, 2, &beta, y.device, -1), "gemv");
    constexpr int below = 2, above = 1;
    require(Blas<T>::gbmv(h, op, rows, columns, below, above, &alpha, A.device, ld, x.device, 2, &beta, z.device, 1), "gbmv");
    const auto got = y.download(), got_banded = z.download();
    for (int i = 0; i < out; ++i) {
      const int at = place(i, -1, out);
      Sum sum, band;
      sum.add(wide(beta), y.at(at));
      band.add(wide(beta), z.at(i));
      for (int p = 0; p < in; ++p) {
        sum.add(wide(alpha), element(A, ld, op, i, p), x.at(2 * p));
        const int row = op == CUBLAS_OP_N ? i : p, column = op == CUBLAS_OP_N ? p : i;
        if (row - column > below || column - row > above) continue;
        const Wide stored = A.at(above + row - column + column * ld);  // diagonals are stored as rows
        band.add(wide(alpha), op == CUBLAS_OP_C ? std::conj(stored) : stored, x.at(2 * p));
      }
      judge.see(got[at], sum);
      banded.see(got_banded[i], band);
    }
  }
  Judge outer{"ger"};
  const Array<T> u(2 * ld), v(2 * ld);
  for (int conjugated = 0; conjugated <= (is_complex<T> ? 1 : 0); ++conjugated) {
    const Array<T> M(ld * ld);
    auto function = Blas<T>::ger;
    if constexpr (is_complex<T>)
      if (!conjugated) function = Blas<T>::geru;
    require(function(h, rows, columns, &alpha, u.device, 2, v.device, 1, M.device, ld), "ger");
    const auto got = M.download();
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i) {
        Sum sum;
        sum.add(M.at(i + j * ld));
        sum.add(wide(alpha), u.at(2 * i), conjugated ? std::conj(v.at(j)) : v.at(j));
        outer.see(got[i + j * ld], sum);
      }
  }
}

/// The place of element (i, j) of a triangle that is packed by columns.
int packed(cublasFillMode_t uplo, int size, int i, int j) {
  return uplo == CUBLAS_FILL_MODE_UPPER ? i + j * (j + 1) / 2 : i + j * (2 * size - j - 1) / 2;
}

/// Symmetric matrices, and Hermitian matrices for complex numbers.
template <class T>
void mirrored_matrices(cublasHandle_t h) {
  constexpr int size = 6, off = 2;  // diagonals beside the main one of a band
  const Array<T> A(ld * ld), x(2 * ld), w(2 * ld);
  const T alpha = number<T>(0.75, -0.5), beta = number<T>(-1.25, 0.5);
  const Real<T> real_alpha = Real<T>(0.75);
  Judge product{"symv"}, band{"sbmv"}, pack{"spmv"}, one{"syr"}, two{"syr2"}, packed_one{"spr"}, packed_two{"spr2"};
  constexpr bool complex = is_complex<T>;
  const auto turn = [](Wide z) { return complex ? std::conj(z) : z; };
  for (const auto uplo : triangles) {
    for (int hermitian = 0; hermitian <= (complex ? 1 : 0); ++hermitian) {
      const Array<T> y(ld);
      auto function = Blas<T>::symv;
      if constexpr (complex)
        if (hermitian) function = Blas<T>::hemv;
      require(function(h, uplo, size, &alpha, A.device, ld, x.device, 2, &beta, y.device, 1), "symv");
      const auto got = y.download();
      for (int i = 0; i < size; ++i) {
        Sum sum;
        sum.add(wide(beta), y.at(i));
        for (int p = 0; p < size; ++p) sum.add(wide(alpha), mirrored(A, ld, uplo, hermitian, i, p), x.at(2 * p));
        product.see(got[i], sum);
      }
    }
    const Array<T> y(ld), z(ld);
    require(Blas<T>::sbmv(h, uplo, size, off, &alpha, A.device, ld, x.device, 2, &beta, y.device, 1), "sbmv");
    require(Blas<T>::spmv(h, uplo, size, &alpha, A.device, x.device, 2, &beta, z.device, 1), "spmv");
    const auto got = y.download(), got_packed = z.download();
    const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
    for (int i = 0; i < size; ++i) {
      Sum sum, of_packed;
      sum.add(wide(beta), y.at(i));
      of_packed.add(wide(beta), z.at(i));
      for (int p = 0; p < size; ++p) {
        const bool stored = in_triangle(uplo, i, p);
        const int row = stored ? i : p, column = stored ? p : i;
        const auto value = [&](Wide found) { return i == p && complex ? Wide(found.real()) : stored ? found : turn(found); };
        of_packed.add(wide(alpha), value(A.at(packed(uplo, size, row, column))), x.at(2 * p));
        if (std::abs(i - p) > off) continue;
        sum.add(wide(alpha), value(A.at((upper ? off : 0) + row - column + column * ld)), x.at(2 * p));
      }
      band.see(got[i], sum);
      pack.see(got_packed[i], of_packed);
    }
    // A += alpha x xᵀ, A += alpha (x wᵀ + w xᵀ); for a Hermitian matrix the transposes are conjugated.
    for (int hermitian = 0; hermitian <= (complex ? 1 : 0); ++hermitian) {
      Array<T> M(ld * ld), N(ld * ld);
      for (int i = 0; i < size; ++i)
        for (Array<T>* const both : {&M, &N}) set(both->host[i + i * ld], both->at(i + i * ld).real());
      M.upload(), N.upload();
      if constexpr (complex) {
        if (hermitian) {
          require(Blas<T>::her(h, uplo, size, &real_alpha, x.device, 2, M.device, ld), "her");
          require(Blas<T>::her2(h, uplo, size, &alpha, x.device, 2, w.device, 1, N.device, ld), "her2");
        }
      }
      if (!hermitian) {
        require(Blas<T>::syr(h, uplo, size, &alpha, x.device, 2, M.device, ld), "syr");
        require(Blas<T>::syr2(h, uplo, size, &alpha, x.device, 2, w.device, 1, N.device, ld), "syr2");
      }
      const auto change = [&](Wide value) { return hermitian ? std::conj(value) : value; };
      const auto got_m = M.download(), got_n = N.download();
      for (int j = 0; j < size; ++j)
        for (int i = 0; i < size; ++i) {
          const int at = i + j * ld;
          if (!in_triangle(uplo, i, j)) { one.same(got_m[at], M.host[at]); continue; }
          Sum first, second;
          first.add(M.at(at)), second.add(N.at(at));
          first.add(hermitian ? Wide(real_alpha) : wide(alpha), x.at(2 * i), change(x.at(2 * j)));
          second.add(wide(alpha), x.at(2 * i), change(w.at(j)));
          second.add(change(wide(alpha)), w.at(i), change(x.at(2 * j)));
          one.see(got_m[at], first);
          two.see(got_n[at], second);
        }
    }
    Array<T> M(ld * ld), N(ld * ld);
    for (int i = 0; i < size; ++i)
      for (Array<T>* const both : {&M, &N}) {
        const int at = packed(uplo, size, i, i);
        set(both->host[at], both->at(at).real());
      }
    M.upload(), N.upload();
    if constexpr (complex)
      require(Blas<T>::spr(h, uplo, size, &real_alpha, x.device, 2, M.device), "hpr");
    else
      require(Blas<T>::spr(h, uplo, size, &alpha, x.device, 2, M.device), "spr");
    require(Blas<T>::spr2(h, uplo, size, &alpha, x.device, 2, w.device, 1, N.device), "spr2");
    const auto got_m = M.download(), got_n = N.download();
    for (int j = 0; j < size; ++j)
      for (int i = 0; i < size; ++i) {
        if (!in_triangle(uplo, i, j)) continue;
        const int at = packed(uplo, size, i, j);
        Sum first, second;
        first.add(M.at(at)), second.add(N.at(at));
        first.add(complex ? Wide(real_alpha) : wide(alpha), x.at(2 * i), turn(x.at(2 * j)));
        second.add(wide(alpha), x.at(2 * i), turn(w.at(j)));
        second.add(turn(wide(alpha)), w.at(i), turn(x.at(2 * j)));
        packed_one.see(got_m[at], first);
        packed_two.see(got_n[at], second);
      }
  }
}

/// Triangular matrices in their three forms: products, and solutions, which are tested by their residuals.
template <class T>
void triangular_matrices(cublasHandle_t h) {
  constexpr int size = 6, off = 2;
  Judge full{"trmv"}, band{"tbmv"}, pack{"tpmv"}, solved{"solved"};
  for (const auto uplo : triangles)
    for (const auto op : operations)
      for (const auto diag : diagonals)
        for (int form = 0; form < 3; ++form) {
          const auto where = [&](int i, int j) {
            return form == 0   ? i + j * ld
                   : form == 1 ? (uplo == CUBLAS_FILL_MODE_UPPER ? off : 0) + i - j + j * ld
                               : packed(uplo, size, i, j);
          };
          Array<T> A(ld * ld);
          for (int i = 0; i < size; ++i) set(A.host[where(i, i)], A.at(where(i, i)) + 3.0);
          A.upload();
          const auto value = [&](int i, int j) -> Wide {
            if (op != CUBLAS_OP_N) std::swap(i, j);
            if (i == j && diag == CUBLAS_DIAG_UNIT) return 1;
            if (!in_triangle(uplo, i, j) || (form == 1 && std::abs(i - j) > off)) return 0;
            return op == CUBLAS_OP_C ? std::conj(A.at(where(i, j))) : A.at(where(i, j));
          };
          const Array<T> x(2 * ld), b(2 * ld);
          if (form == 0) {
            require(Blas<T>::trmv(h, uplo, op, diag, size, A.device, ld, x.device, 2), "trmv");
            require(Blas<T>::trsv(h, uplo, op, diag, size, A.device, ld, b.device, 2), "trsv");
          } else if (form == 1) {
            require(Blas<T>::tbmv(h, uplo, op, diag, size, off, A.device, ld, x.device, 2), "tbmv");
            require(Blas<T>::tbsv(h, uplo, op, diag, size, off, A.device, ld, b.device, 2), "tbsv");
          } else {
            require(Blas<T>::tpmv(h, uplo, op, diag, size, A.device, x.device, 2), "tpmv");
            require(Blas<T>::tpsv(h, uplo, op, diag, size, A.device, b.device, 2), "tpsv");
          }
          const auto product = x.download(), solution = b.download();
          for (int i = 0; i < size; ++i) {
            Sum sum, residual;
            for (int p = 0; p < size; ++p) {
              sum.add(value(i, p), x.at(2 * p));
              residual.add(value(i, p), wide(solution[2 * p]));
            }
            (form == 0 ? full : form == 1 ? band : pack).see(product[2 * i], sum);
            residual.size += std::abs(b.at(2 * i));
            residual.value -= b.at(2 * i);
            solved.see(number<T>(0), residual);
          }
        }
}

template <class T>
void all(cublasHandle_t handle, const char* name) {
  std::printf("-- %s\n", name);
  vectors<T>(handle);
  general<T>(handle);
  mirrored_matrices<T>(handle);
  triangular_matrices<T>(handle);
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
