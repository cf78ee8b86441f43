#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>
#include "reduction.h"

template <typename T>
bool runTest(int n) {
  std::vector<T> h(n);
  double exact = 0;
  for (int i = 0; i < n; i++) {
    h[i] = std::is_same<T, int>::value ? (T)(i % 100 - 20) : (T)((i * 37 % 101) / 101.0);
    exact += h[i];
  }
  T *d_idata = NULL, *d_odata = NULL;
  const int threads = 256;
  cudaMalloc((void **)&d_idata, n * sizeof(T));
  cudaMalloc((void **)&d_odata, (n / threads + 2) * sizeof(T));
  cudaMemcpy(d_idata, h.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  bool all = true;
  for (int k = 0; k < kKernels; ++k) {
    int blocks = k < 3 ? (n + threads - 1) / threads : (n + threads * 2 - 1) / (threads * 2);
    if (k >= 5 && blocks > 8) blocks = 8;
    reduce<T>(n, threads, blocks, k, d_idata, d_odata);
    cudaError_t e = cudaDeviceSynchronize();
    std::vector<T> sums(blocks);
    cudaMemcpy(sums.data(), d_odata, blocks * sizeof(T), cudaMemcpyDeviceToHost);
    double total = 0;
    for (T s : sums) total += s;
    const double tolerance = std::is_same<T, float>::value ? 1e-6 * n : 1e-8 * n;
    const bool ok = e == cudaSuccess && std::fabs(total - exact) <= tolerance;
    if (!ok) printf("kernel %d: %s, %.9g instead of %.9g\n", k, cudaGetErrorName(e), total, exact);
    all = all && ok;
  }
  cudaFree(d_idata);
  cudaFree(d_odata);
  return all;
}

int main(int argc, char **argv) {
  int n = 1 << 16;
  std::string type = "all";
  for (int i = 1; i < argc; ++i) {
    if (!strncmp(argv[i], "--n=", 4)) n = atoi(argv[i] + 4);
    if (!strncmp(argv[i], "--type=", 7)) type = argv[i] + 7;
  }
  bool ok = true;
  if (type == "all" || type == "int") ok &= runTest<int>(n);
  if (type == "all" || type == "float") ok &= runTest<float>(n);
  if (type == "all" || type == "double") ok &= runTest<double>(n);
  printf("%d elements, %s: %s\n", n, type.c_str(), ok ? "all kernels agree" : "FAILED");
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
