/// @file
/// Square matrices for the labs on products: inputs whose products are exact, and a check of P = M · N in O(n²) instead
/// of O(n³), for sizes that are too large for a second computation on the CPU.
///
/// Freivalds' check: for a vector r, P·r and M·(N·r) must agree, and each takes only n² multiplications.
/// With r drawn at random from 2048 integers, a wrong row of P agrees with a probability of at most 1/2048 in
/// each round. R. Freivalds, "Probabilistic machines can use less running time", IFIP Congress 1977.
///
/// Host code only.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "random.hpp"

namespace lab {

/// Returns an n × n matrix of random multiples of 1/2 from -4 to 4.
/// A product of two elements is a multiple of 1/4 up to 16, so that every sum of up to 262,144 products is exact in
/// float, in any order, with or without fused multiply-add.
template <typename T>
std::vector<T> draw_matrix(Random& random, std::size_t n) {
  std::vector<T> matrix(n * n);
  for (T& element : matrix) element = static_cast<T>(static_cast<double>(random.integer(-8, 8)) / 2);
  return matrix;
}

/// Returns an n × n matrix of random numbers in [-1, 1). They use all bits of T, so sums of their products are rounded.
template <typename T>
std::vector<T> draw_reals(Random& random, std::size_t n) {
  std::vector<T> matrix(n * n);
  for (T& element : matrix) element = static_cast<T>(random.real(-1, 1));
  return matrix;
}

namespace detail {

/// Computes y = A·x for an n × n row-major A, summed in double.
template <typename T>
std::vector<double> multiply(const T* a, const std::vector<double>& x) {
  const std::size_t n = x.size();
  std::vector<double> y(n, 0.0);
  for (std::size_t row = 0; row < n; ++row) {
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += static_cast<double>(a[row * n + k]) * x[k];
    y[row] = sum;
  }
  return y;
}

}  // namespace detail

/// Finds rows of P that differ from rows of M · N. All three matrices are n × n and row-major.
/// A wrong row is missed with a probability of at most 2^(-11·rounds). A right row is never reported if the sums are
/// exact in double: that is, if they are whole multiples of some unit u below 2^53·u. NaN and infinity are always
/// reported.
/// @param tolerance for inexact data: |difference| <= tolerance · sum of |terms|
/// @return row numbers, ascending
template <typename T>
std::vector<std::size_t> wrong_rows(const T* p, const T* m, const T* n_matrix, std::size_t n,
                                    std::uint64_t seed, int rounds = 3, double tolerance = 0) {
  std::vector<bool> wrong(n, false);
  Random random(seed);
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> r(n);
    for (double& value : r) value = static_cast<double>(random.integer(-1023, 1024));
    const std::vector<double> got = detail::multiply(p, r);
    const std::vector<double> expected = detail::multiply(m, detail::multiply(n_matrix, r));
    for (std::size_t row = 0; row < n; ++row) {
      double allowed = 0;
      if (tolerance > 0) {
        for (std::size_t k = 0; k < n; ++k) allowed += std::fabs(static_cast<double>(p[row * n + k]) * r[k]);
        allowed *= tolerance;
      }
      if (!(std::fabs(got[row] - expected[row]) <= allowed)) wrong[row] = true;  // NaN compares false: wrong
    }
  }
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < n; ++row) {
    if (wrong[row]) rows.push_back(row);
  }
  return rows;
}

/// Checks P = M · N with wrong_rows(), computes the first wrong row again, and prints its wrong elements.
/// @param tolerance for inexact data: |difference| <= tolerance · sum of |terms|
/// @return number of wrong rows
template <typename T>
std::size_t check_product(const T* p, const T* m, const T* n_matrix, std::size_t n, std::uint64_t seed,
                          double tolerance = 0, std::size_t show = 8) {
  const std::vector<std::size_t> rows = wrong_rows(p, m, n_matrix, n, seed, 3, tolerance);
  if (rows.empty()) return 0;
  const std::size_t row = rows.front();
  std::vector<double> expected(n, 0.0), sizes(n, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    const double factor = static_cast<double>(m[row * n + k]);
    for (std::size_t col = 0; col < n; ++col) {
      const double term = factor * static_cast<double>(n_matrix[k * n + col]);
      expected[col] += term;
      sizes[col] += std::fabs(term);
    }
  }
  std::size_t shown = 0;
  for (std::size_t col = 0; col < n && shown < show; ++col) {
    const double got = static_cast<double>(p[row * n + col]);
    if (std::fabs(got - expected[col]) <= tolerance * sizes[col]) continue;
    std::printf("  P[%zu][%zu] is %.9g, but should be %.9g\n", row, col, got, expected[col]);
    ++shown;
  }
  std::printf("  %zu of %zu rows of P are wrong.\n", rows.size(), n);
  return rows.size();
}

}  // namespace lab
