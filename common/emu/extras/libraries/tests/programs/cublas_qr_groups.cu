// emucc: -lcublas
// cuBLAS: QR and least squares in batches, and batches of several sizes in groups.
#include <cublas_v2.h>
#include <cuda_fp16.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

#define CHECK(call)                                                              \
  do {                                                                           \
    const int status = static_cast<int>(call);                                   \
    if (status != 0) printf("line %d: status %d\n", __LINE__, status);           \
  } while (0)

template <class T>
T* managed(size_t count) {
  T* memory;
  CHECK(cudaMallocManaged(&memory, count * sizeof(T)));
  return memory;
}
/// Pointers to problems of `stride` elements each.
template <class T>
T** pointers(T* first, int stride, int count) {
  T** const array = managed<T*>(count);
  for (int i = 0; i < count; ++i) array[i] = first + i * stride;
  return array;
}
double number(int i) {
  return (i * 37 % 101 - 50) / 16.0;
}

cublasStatus_t qr(cublasHandle_t h, int m, int n, float* const* a, float* const* tau, int* info, int count) {
  return cublasSgeqrfBatched(h, m, n, a, m, tau, info, count);
}
cublasStatus_t qr(cublasHandle_t h, int m, int n, double* const* a, double* const* tau, int* info, int count) {
  return cublasDgeqrfBatched(h, m, n, a, m, tau, info, count);
}
cublasStatus_t qr(cublasHandle_t h, int m, int n, std::complex<double>* const* a, std::complex<double>* const* tau,
                  int* info, int count) {
  return cublasZgeqrfBatched(h, m, n, reinterpret_cast<cuDoubleComplex* const*>(a), m,
                             reinterpret_cast<cuDoubleComplex* const*>(tau), info, count);
}
double conjugate(double x) {
  return x;
}
std::complex<double> conjugate(std::complex<double> x) {
  return std::conj(x);
}
template <class W>
W value(int i) {
  return W(number(i));
}
template <>
std::complex<double> value(int i) {
  return {number(i), number(i + 7)};
}

/// The product of the reflections and R must be the matrix. W: the type of the computation.
template <class T, class W>
void factors(cublasHandle_t handle, const char* name, int m, int n, double tolerance) {
  const int count = 3, less = m < n ? m : n;
  T *a = managed<T>(count * m * n), *tau = managed<T>(count * less);
  std::vector<W> before(count * m * n);
  for (int i = 0; i < count * m * n; ++i) before[i] = value<W>(i), a[i] = T(before[i]);
  T **as = pointers(a, m * n, count), **taus = pointers(tau, less, count);
  int info = -1;
  CHECK(qr(handle, m, n, as, taus, &info, count));
  CHECK(cudaDeviceSynchronize());
  double worst = 0;
  for (int p = 0; p < count; ++p) {
    std::vector<W> r(m * n, W(0));
    for (int j = 0; j < n; ++j)
      for (int i = 0; i <= j && i < m; ++i) r[i + j * m] = W(a[p * m * n + i + j * m]);
    for (int k = less; k-- > 0;)
      for (int j = 0; j < n; ++j) {
        W sum = r[k + j * m];
        for (int i = k + 1; i < m; ++i) sum += conjugate(W(a[p * m * n + i + k * m])) * r[i + j * m];
        sum *= W(tau[p * less + k]);
        r[k + j * m] -= sum;
        for (int i = k + 1; i < m; ++i) r[i + j * m] -= W(a[p * m * n + i + k * m]) * sum;
      }
    for (int i = 0; i < m * n; ++i) worst = fmax(worst, std::abs(r[i] - before[p * m * n + i]));
  }
  printf("%s %d x %d: info %d, %s\n", name, m, n, info, worst < tolerance ? "QR is A" : "wrong");
  for (void* const memory : {(void*)a, (void*)tau, (void*)as, (void*)taus}) CHECK(cudaFree(memory));
}

void least_squares(cublasHandle_t handle) {
  const int m = 12, n = 4, columns = 2, count = 2;
  double *a = managed<double>(count * m * n), *c = managed<double>(count * m * columns);
  std::vector<double> matrix(count * m * n), right(count * m * columns);
  for (int i = 0; i < count * m * n; ++i) a[i] = matrix[i] = number(i * i + 3 * i);
  for (int i = 0; i < count * m * columns; ++i) c[i] = right[i] = number(i * 5 + 2);
  double **as = pointers(a, m * n, count), **cs = pointers(c, m * columns, count);
  int info = -1, *infos = managed<int>(count);
  CHECK(cublasDgelsBatched(handle, CUBLAS_OP_N, m, n, columns, as, m, cs, m, &info, infos, count));
  CHECK(cudaDeviceSynchronize());
  // The remainder must be orthogonal to each column.
  double worst = 0;
  for (int p = 0; p < count; ++p)
    for (int j = 0; j < columns; ++j)
      for (int l = 0; l < n; ++l) {
        double product = 0;
        for (int i = 0; i < m; ++i) {
          double rest = right[(p * columns + j) * m + i];
          for (int k = 0; k < n; ++k) rest -= matrix[(p * n + k) * m + i] * c[(p * columns + j) * m + k];
          product += rest * matrix[(p * n + l) * m + i];
        }
        worst = fmax(worst, fabs(product));
      }
  printf("least squares: info %d %d %d, %s\n", info, infos[0], infos[1], worst < 1e-9 ? "at right angles" : "wrong");
  for (void* const memory : {(void*)a, (void*)c, (void*)as, (void*)cs, (void*)infos}) CHECK(cudaFree(memory));
}

void groups(cublasHandle_t handle) {
  const int group_count = 2, sizes[] = {2, 1}, m[] = {3, 5}, n[] = {4, 2}, k[] = {2, 6};
  const cublasOperation_t transa[] = {CUBLAS_OP_N, CUBLAS_OP_T}, transb[] = {CUBLAS_OP_N, CUBLAS_OP_N};
  const int lda[] = {3, 6}, ldb[] = {2, 6}, ldc[] = {3, 5};
  const double alpha[] = {2, -1}, beta[] = {0, 1};
  double *a = managed<double>(3 * 64), *b = managed<double>(3 * 64), *c = managed<double>(3 * 64);
  std::vector<double> wanted(3 * 64);
  for (int i = 0; i < 3 * 64; ++i) a[i] = number(i), b[i] = number(3 * i + 1), c[i] = wanted[i] = number(5 * i);
  double **as = pointers(a, 64, 3), **bs = pointers(b, 64, 3), **cs = pointers(c, 64, 3);
  CHECK(cublasDgemmGroupedBatched(handle, transa, transb, m, n, k, alpha, as, lda, bs, ldb, beta, cs, ldc, group_count,
                                  sizes));
  CHECK(cudaDeviceSynchronize());
  int problem = 0, wrong = 0;
  for (int g = 0; g < group_count; ++g)
    for (int i = 0; i < sizes[g]; ++i, ++problem)
      for (int x = 0; x < m[g]; ++x)
        for (int y = 0; y < n[g]; ++y) {
          double sum = 0;
          for (int z = 0; z < k[g]; ++z)
            sum += a[problem * 64 + (g == 0 ? x + z * lda[g] : z + x * lda[g])] * b[problem * 64 + z + y * ldb[g]];
          double& one = wanted[problem * 64 + x + y * ldc[g]];
          one = alpha[g] * sum + beta[g] * one;
        }
  for (int i = 0; i < 3 * 64; ++i) wrong += fabs(c[i] - wanted[i]) > 1e-12;
  printf("groups of double: %d wrong\n", wrong);

  __half *ha = managed<__half>(3 * 64), *hb = managed<__half>(3 * 64), *hc = managed<__half>(3 * 64);
  for (int i = 0; i < 3 * 64; ++i) ha[i] = __float2half(i % 5 - 2), hb[i] = __float2half(i % 7 - 3), hc[i] = __float2half(1);
  const int eight[] = {8, 8}, two[] = {2, 1};
  const cublasOperation_t plain[] = {CUBLAS_OP_N, CUBLAS_OP_N};
  const float ones[] = {1, 2}, zeros[] = {0, 1};
  void** const has = reinterpret_cast<void**>(pointers(ha, 64, 3));
  void** const hbs = reinterpret_cast<void**>(pointers(hb, 64, 3));
  void** const hcs = reinterpret_cast<void**>(pointers(hc, 64, 3));
  CHECK(cublasGemmGroupedBatchedEx(handle, plain, plain, eight, eight, eight, ones, has, CUDA_R_16F, eight, hbs,
                                   CUDA_R_16F, eight, zeros, hcs, CUDA_R_16F, eight, 2, two, CUBLAS_COMPUTE_32F));
  CHECK(cudaDeviceSynchronize());
  wrong = 0;
  for (int p = 0; p < 3; ++p)
    for (int x = 0; x < 8; ++x)
      for (int y = 0; y < 8; ++y) {
        float sum = 0;
        for (int z = 0; z < 8; ++z) sum += ((p * 64 + x + z * 8) % 5 - 2) * ((p * 64 + z + y * 8) % 7 - 3);
        wrong += __half2float(hc[p * 64 + x + y * 8]) != (p < 2 ? sum : 2 * sum + 1);
      }
  printf("groups of half: %d wrong\n", wrong);
  for (void* const memory : {(void*)a, (void*)b, (void*)c, (void*)as, (void*)bs, (void*)cs, (void*)ha, (void*)hb, (void*)hc,
                             (void*)has, (void*)hbs, (void*)hcs})
    CHECK(cudaFree(memory));
}

int main() {
  cublasHandle_t handle;
  CHECK(cublasCreate(&handle));
  factors<float, double>(handle, "float", 8, 5, 1e-4);
  factors<double, double>(handle, "double", 6, 6, 1e-12);
  factors<std::complex<double>, std::complex<double>>(handle, "complex", 7, 3, 1e-12);
  least_squares(handle);
  groups(handle);
  CHECK(cublasDestroy(handle));
  return 0;
}
