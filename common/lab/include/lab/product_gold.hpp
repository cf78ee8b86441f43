/// @file
/// The CPU's part of the labs on matrix products: computes the product, measures the time, and checks whether the GPU's
/// product is equal. Each lab's matrixmul_gold.cpp calls check_with_gold().
///
/// Host code only.
#pragma once
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "compare.hpp"
#include "product.hpp"
#include "timer.hpp"

namespace lab {

namespace detail {

constexpr int largest_full_check = 512;   // n³ = 134 million products: a tenth of a second
constexpr double products_to_time = 3e8;  // above it, only rows with about this many products are computed

// Computes some rows of P = M · N at equal distances; the result is (rows, n) row-major. Row i of the result is row
// i * n / rows of P, so with rows = n the result is P. M and N are (n, n) row-major. Sums are in double for any T,
// because a reference must not be less accurate than the product that it checks.
template <typename T>
std::vector<T> product_rows(const T* M, const T* N, int n, int rows) {
  std::vector<T> P(static_cast<std::size_t>(rows) * n);
  std::vector<double> sums(n);  // one row of P
  for (int i = 0; i < rows; ++i) {
    const std::size_t row = static_cast<std::size_t>(i) * n / rows;
    sums.assign(n, 0.0);
    for (int k = 0; k < n; ++k) {  // the outer loop, so that N is read along its rows in memory
      const double factor = M[row * n + k];
      for (int col = 0; col < n; ++col) sums[col] += factor * N[static_cast<std::size_t>(k) * n + col];
    }
    for (int col = 0; col < n; ++col) P[static_cast<std::size_t>(i) * n + col] = static_cast<T>(sums[col]);
  }
  return P;
}

// Counts the elements of these rows (product_rows) that differ from P.
template <typename T>
std::size_t count_wrong(const T* P, const std::vector<T>& gold, int n, int rows) {
  std::size_t wrong = 0;
  for (int i = 0; i < rows; ++i) {
    const T* const row = P + static_cast<std::size_t>(i) * n / rows * n;
    for (int col = 0; col < n; ++col) wrong += row[col] != gold[static_cast<std::size_t>(i) * n + col];
  }
  return wrong;
}

// Returns the sum of all elements.
template <typename T>
double sum_of(const T* P, int n) {
  double sum = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(n) * n; ++i) sum += P[i];
  return sum;
}

// Returns the sum of all elements of M · N without computing the product: each column sum of M is multiplied by one row
// sum of N.
template <typename T>
double sum_of_product(const T* M, const T* N, int n) {
  std::vector<double> column_sums(n, 0.0);
  double sum = 0;
  for (int row = 0; row < n; ++row) {
    for (int k = 0; k < n; ++k) column_sums[k] += M[static_cast<std::size_t>(row) * n + k];
  }
  for (int k = 0; k < n; ++k) {
    double row_sum = 0;
    for (int col = 0; col < n; ++col) row_sum += N[static_cast<std::size_t>(k) * n + col];
    sum += column_sums[k] * row_sum;
  }
  return sum;
}

// Writes both products as .npy files to the current folder, for inspection or for other comparisons (cmp, NumPy).
template <typename T>
void keep_files(const std::string& name, const T* P, const std::vector<T>& gold, int n) {
  const std::vector<std::size_t> shape = {static_cast<std::size_t>(n), static_cast<std::size_t>(n)};
  try {
    write_npy(name + ".bin", shape, P);
    write_npy(name + ".gold", shape, gold.data());
  } catch (const NpyError& error) {
    std::printf("  (not kept as files: %s)\n", error.what());
  }
}

}  // namespace detail

/// Compares P with M · N, all (n, n) row-major on the host, and prints the CPU's time and both checksums.
///
/// Up to n = 512 and without a tolerance, every element is computed again and must be equal; both products are written
/// to NAME.bin and NAME.gold. Otherwise Freivalds' method (product.hpp) checks the product, and only some rows are
/// computed again. Their time gives an estimate for the whole product; without a tolerance they are also compared.
/// @param name NAME of the files, which are written to the current folder
/// @param tolerance the tolerance of check_product()
/// @return whether P is right
template <typename T>
bool check_with_gold(const std::string& name, const T* P, const T* M, const T* N, int n,
                     double tolerance = 0) {
  const bool full = n <= detail::largest_full_check && tolerance == 0;
  const int rows =
      full ? n : std::clamp(static_cast<int>(detail::products_to_time / n / n), 1, n);  // computed again
  Timer timer;

  std::printf("Computing reference solution.\n");
  timer.start();
  const std::vector<T> gold = detail::product_rows(M, N, n, rows);
  timer.stop();
  print_time("CPU Processing time ", timer.ms() * n / rows);
  if (rows < n) std::printf("  (estimated: %d of %d rows took %.1f ms)\n", rows, n, timer.ms());
  const double cpu_sum = full ? detail::sum_of(gold.data(), n) : detail::sum_of_product(M, N, n);
  std::printf("CPU checksum: %.10g\n", cpu_sum);
  std::printf("GPU checksum: %.10g\n", detail::sum_of(P, n));

  if (!full) {
    std::printf(
        "Comparing P r with M (N r) for three random vectors r (%s) ...\n",
        tolerance > 0 ? "within rounding" : ("n > " + std::to_string(detail::largest_full_check)).c_str());
    const bool rows_right = tolerance > 0 || detail::count_wrong(P, gold, n, rows) == 0;
    return check_product(P, M, N, n, 20260101, tolerance) == 0 && rows_right;
  }
  detail::keep_files(name, P, gold, n);
  std::printf("Comparing file %s with %s ...\n", (name + ".bin").c_str(), (name + ".gold").c_str());
  return compare("P", P, gold.data(), {static_cast<std::size_t>(n), static_cast<std::size_t>(n)}) == 0;
}

}  // namespace lab
