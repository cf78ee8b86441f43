/// @file
/// Matrix products in double: computes single rows exactly, and verifies a whole product in O(n²) by
/// Freivalds' method.
#pragma once
#include <random>

#include "verify/array.hpp"

namespace grader {

/// A factor of a product. If `transposed`, its rows and columns are exchanged when it is read.
struct Factor {
  const Array& array;
  bool transposed = false;

  std::size_t rows() const { return transposed ? array.columns() : array.rows(); }
  std::size_t columns() const { return transposed ? array.rows() : array.columns(); }
  double at(std::size_t row, std::size_t column) const {
    return transposed ? array.at(column, row) : array.at(row, column);
  }
};

/// The rows of a · b in double, each b.columns() long. The function makes one pass over b for all rows.
/// @pre a.columns() == b.rows()
std::vector<std::vector<double>> product_rows(Factor a, Factor b, const std::vector<std::size_t>& rows);

/// Numbers that decide how a product can be verified.
struct Magnitude {
  double largest = 0;  ///< |element|
  bool finite = true;
  double unit = 0;  ///< a power of two from 2^-12 to 1 that divides all elements; 0: none does
};
Magnitude magnitude(const Array& array);

/// The result of Freivalds' method.
struct SuspectRows {
  /// Whether all sums are exact in double, so that every row in `suspects` is wrong. Otherwise the rows must be
  /// checked, the worst first.
  bool exact = false;
  std::vector<std::size_t> suspects;  ///< ascending when exact, else by decreasing residual
  std::vector<std::size_t>
      certain;  ///< ascending: suspects that no permitted errors explain (all of them, when exact)
};

/// Freivalds' method for p = m · n: compares p · r with m · (n · r) for random vectors r.
///
/// Exact case: m and n hold whole numbers, or multiples of a small power of two, and the tolerance is zero. Entries
/// of r are whole numbers from the largest range that keeps every sum exact in double; the range has S values. Then
/// no sum is rounded, right rows are never suspected, and a wrong row escapes a round with a probability of at most
/// 1/S, since its error is a nonzero linear form in r. S is over two million for 4096 × 4096 matrices of numbers up
/// to 3. The elements of a right p must also be exact in its own type.
///
/// Otherwise entries of r have random signs and magnitudes from 0.5 to 1, and a row is suspected if its residual is
/// greater than a quarter of the tolerance at the row's mean magnitude. One wrong element whose error is several
/// times the tolerance is found, unless the sum of the permitted errors of the other elements in its row hides it.
///
/// The arrays must outlive this object. @pre m.columns() == n.rows(), p is m.rows() × n.columns(), m and n are finite
class Freivalds {
 public:
  Freivalds(const Array& p, const Array& m, const Array& n, const Tolerance& tolerance, std::uint64_t seed);

  bool exact() const { return exact_; }
  /// S in the description above: the number of values from which each random entry is drawn. 0 if the sums are not
  /// exact.
  double values() const { return exact_ ? 2.0 * static_cast<double>(largest_entry_) + 1 : 0; }

  SuspectRows suspect_rows(int rounds);

  /// Does the same once from the left: compares l · p with (l · m) · n. Returns the columns with wrong elements in
  /// ascending order.
  std::vector<std::size_t> wrong_columns();

 private:
  std::vector<double> draw(std::size_t count);

  const Array &p_, &m_, &n_;
  const Tolerance tolerance_;
  std::mt19937_64 random_;
  bool exact_ = false;
  std::int64_t largest_entry_ = 0;  ///< when exact, entries are whole numbers from -this to this
  std::vector<char> impossible_;    ///< rows of p with an element that is impossible in a product of m and n
  std::vector<double> row_mean_;    ///< mean |element| of each row of p
};

}  // namespace grader
