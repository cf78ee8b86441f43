// matrixmul_gold.cpp: is the GPU's product right? Plain C++ for the CPU; there is nothing to do here.
//
//   n <= 512   every element is computed again by matrixMulGold and compared; the numbers must be equal.
//   n >  512   that would take minutes at 4096. Freivalds' method checks the product (lab/product.hpp): for
//              a random vector r, P·r and M·(N·r) must agree, which takes n² multiplications instead of n³.
//              Three rounds let a wrong row pass with a probability of about 1 in 10^10. How long the CPU
//              would take for the product is estimated: some rows of P are computed again, compared and timed.
//
// "Equal" means equal: the inputs are small multiples of 1/2, whose products and sums are exact in float and
// in double. With --reals 1 they are any numbers, sums are rounded, and Freivalds' method allows for that.
#include <lab/arrays.hpp>
#include <lab/compare.hpp>
#include <lab/product.hpp>
#include <lab/timer.hpp>

#include <algorithm>
#include <string>

#include "matrixmul.h"

namespace {

constexpr int largest_full_check = 512;   // n³ = 134 million products: a tenth of a second
constexpr double products_to_time = 3e8;  // beyond: as many rows as take so many products
constexpr const char* result_file = "lab3.1-matrixmul.bin";
constexpr const char* gold_file = "lab3.1-matrixmul.gold";

// Some rows of P = M · N at equal distances, (rows, n) row-major: row i of them is row i * n / rows of P, so with
// rows = n it is P. M and N are (n, n) row-major. Sums are kept in double, whatever Real is: a reference must
// not be less accurate than what it checks.
std::vector<Real> matrixMulGold(const Real* M, const Real* N, int n, int rows) {
  std::vector<Real> P(static_cast<std::size_t>(rows) * n);
  std::vector<double> sums(n);  // one row of P
  for (int i = 0; i < rows; ++i) {
    const std::size_t row = static_cast<std::size_t>(i) * n / rows;
    sums.assign(n, 0.0);
    for (int k = 0; k < n; ++k) {  // k outside, col inside: N is read along its rows, as it lies in memory
      const double factor = M[row * n + k];
      for (int col = 0; col < n; ++col) sums[col] += factor * N[static_cast<std::size_t>(k) * n + col];
    }
    for (int col = 0; col < n; ++col) P[static_cast<std::size_t>(i) * n + col] = static_cast<Real>(sums[col]);
  }
  return P;
}

// How many elements of these rows (matrixMulGold) differ from those of P?
std::size_t countWrong(const Real* P, const std::vector<Real>& gold, int n, int rows) {
  std::size_t wrong = 0;
  for (int i = 0; i < rows; ++i) {
    const Real* const row = P + static_cast<std::size_t>(i) * n / rows * n;
    for (int col = 0; col < n; ++col) wrong += row[col] != gold[static_cast<std::size_t>(i) * n + col];
  }
  return wrong;
}

// Sum of all elements.
double checksum(const Real* P, int n) {
  double sum = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(n) * n; ++i) sum += P[i];
  return sum;
}

// Sum of all elements of M · N without computing it: each column sum of M meets one row sum of N.
double productChecksum(const Real* M, const Real* N, int n) {
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

// Keeps both products as .npy files in the current folder, to look at or to compare by other means (cmp,
// NumPy).
void keepFiles(const Real* P, const std::vector<Real>& gold, int n) {
  const std::vector<std::size_t> shape = {static_cast<std::size_t>(n), static_cast<std::size_t>(n)};
  try {
    lab::write_npy(result_file, shape, P);
    lab::write_npy(gold_file, shape, gold.data());
  } catch (const lab::NpyError& error) {
    std::printf("  (not kept as files: %s)\n", error.what());
  }
}

}  // namespace

bool checkProduct(const Real* P, const Real* M, const Real* N, int n, double tolerance) {
  const bool full = n <= largest_full_check && tolerance == 0;
  const int rows =
      full ? n : std::clamp(static_cast<int>(products_to_time / n / n), 1, n);  // that are computed again
  lab::Timer timer;

  std::printf("Computing reference solution.\n");
  timer.start();
  const std::vector<Real> gold = matrixMulGold(M, N, n, rows);
  timer.stop();
  lab::print_time("CPU Processing time ", timer.ms() * n / rows);
  if (rows < n) std::printf("  (estimated: %d of %d rows took %.1f ms)\n", rows, n, timer.ms());
  const double cpu_sum = full ? checksum(gold.data(), n) : productChecksum(M, N, n);
  std::printf("CPU checksum: %.10g\n", cpu_sum);
  std::printf("GPU checksum: %.10g\n", checksum(P, n));

  if (!full) {
    std::printf("Comparing P r with M (N r) for three random vectors r (%s) ...\n",
                tolerance > 0 ? "within rounding" : ("n > " + std::to_string(largest_full_check)).c_str());
    const bool rows_right = tolerance > 0 || countWrong(P, gold, n, rows) == 0;
    return lab::check_product(P, M, N, n, 20260101, tolerance) == 0 && rows_right;
  }
  keepFiles(P, gold, n);
  std::printf("Comparing file %s with %s ...\n", result_file, gold_file);
  return lab::compare("P", P, gold.data(), {static_cast<std::size_t>(n), static_cast<std::size_t>(n)}) == 0;
}
