#include <cmath>
#include <cstdio>
#include <vector>
#include "jacobi.h"

int main() {
  std::vector<float> A(N_ROWS * N_ROWS);
  std::vector<double> b(N_ROWS), x(N_ROWS);
  for (int i = 0; i < N_ROWS; ++i) {
    double sum = 0;
    for (int j = 0; j < N_ROWS; ++j)
      if (i != j) sum += A[i * N_ROWS + j] = 0.01f * ((i * 31 + j * 17) % 7);
    A[i * N_ROWS + i] = static_cast<float>(2 * sum + 1);
    for (int j = 0; j < N_ROWS; ++j) b[i] += A[i * N_ROWS + j] * (1.0 + j % 3);
  }
  int iterations = 0;
  const double residual = JacobiMethodGpu(A.data(), b.data(), 1e-8f, 1000, x.data(), &iterations);
  double error = 0;
  for (int i = 0; i < N_ROWS; ++i) error = std::fmax(error, std::fabs(x[i] - (1.0 + i % 3)));
  printf("converged after %d iterations: %s, error %s\n", iterations, residual <= 1e-8 ? "yes" : "no", error < 1e-8 ? "small" : "LARGE");
  return !(error < 1e-8);
}
