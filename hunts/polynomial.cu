// The values of a polynomial at many places, by Horner's rule. coefficients[0] is the constant term.
#include "hunt.cuh"

constexpr int n = 300;  // places
constexpr int degree = 4;
constexpr int threads = 64;  // of each block

__constant__ int coefficients[degree + 1];

__global__ void evaluate(const int* places, int* values) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  const int x = places[i];
  int value = coefficients[degree];
  for (int k = degree - 1; k >= 0; --k) value = value * x + coefficients[k];
  values[i] = value;
}

int main() {
  const std::vector<int> places = numbers(n, 9), own = numbers(degree + 1, 9);
  int* const d_places = to_device(places);
  int* const d_values = device_array<int>(n);
  check(cudaMemcpyToSymbol(coefficients, own.data(), (degree + 1) * sizeof(int)));
  evaluate<<<(n + threads - 1) / threads, threads>>>(d_places, d_values);
  const std::vector<int> values = from_device(d_values, n);
  check(cudaFree(d_places));
  check(cudaFree(d_values));

  std::vector<int> expected(n, 0);
  for (int i = 0; i < n; ++i)
    for (int c = 0, power = 1; c <= degree; ++c, power *= places[i]) expected[i] += own[c] * power;
  return compare("values", values, expected);
}
