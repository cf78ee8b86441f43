#include <iostream>
#include <numeric>
#include <vector>
#include "vecmath.h"
float launch_sum_of_squares(int n, const float* x);
unsigned int library_calls();
int main() {
  const int n = 100;
  std::vector<float> x(n), y(n, 1.f);
  std::iota(x.begin(), x.end(), 0.f);
  float *dx, *dy, *dr, dot = 0;
  cudaMalloc(&dx, n * sizeof(float));
  cudaMalloc(&dy, n * sizeof(float));
  cudaMalloc(&dr, sizeof(float));
  cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dy, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaError_t status = vecmath::axpy(n, 2.f, dx, dy);
  if (status == cudaSuccess) status = vecmath::dot(n, dx, dy, dr);
  cudaMemcpy(&dot, dr, sizeof(float), cudaMemcpyDeviceToHost);
  std::cout << "dot " << dot << ", squares " << launch_sum_of_squares(n, dx) << ", calls " << library_calls() << ", "
            << cudaGetErrorString(status) << std::endl;
  cudaFree(dx);
  cudaFree(dy);
  cudaFree(dr);
  return dot != 661650.f + 0 * status;
}
