// The loops with which the emulation is compared: plain C++ on all cores, at the same level of optimisation.
#include "kernels.hpp"

namespace plain {

void product_ijk(const float* a, const float* b, float* c, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0.0f;
      for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

void product_ikj(const float* a, const float* b, float* c, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    float* const row = c + i * n;
    for (int j = 0; j < n; ++j) row[j] = 0.0f;
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j) row[j] += a[i * n + k] * b[k * n + j];
  }
}

float sum(const float* in, int n) {
  float all = 0.0f;
#pragma omp parallel for reduction(+ : all)
  for (int i = 0; i < n; ++i) all += in[i];
  return all;
}

void vector_addition(const float* a, const float* b, float* c, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

void histogram(const unsigned char* in, unsigned* counts, int n) {
  for (int i = 0; i < 256; ++i) counts[i] = 0;
#pragma omp parallel for reduction(+ : counts[:256])
  for (int i = 0; i < n; ++i) ++counts[in[i]];
}

void tiny_loops(float* data, int loops) {
  for (int loop = 0; loop < loops; ++loop) {
#pragma omp parallel for
    for (int i = 0; i < 32; ++i) data[i] += 1.0f;
  }
}

}  // namespace plain
