/// @file
/// The evidence about a wrong output: the wrong elements and their right values. Patterns are tested on this
/// evidence.
///
/// There are two kinds. If an expected array is stored, every value is known (compare_arrays()). For a large matrix
/// product (product_evidence()), the wrong rows and columns are known, and a few rows are computed exactly on
/// request.
#pragma once
#include "verify/array.hpp"
#include "verify/run_facts.hpp"

namespace grader {

/// The row and column of an element in the 2-D view of an array (see Array::rows()).
struct Position {
  std::size_t row = 0;
  std::size_t column = 0;
};

class Evidence {
 public:
  Evidence(const Array& got_array, std::vector<const Array*> input_arrays, const Tolerance& allowed);
  virtual ~Evidence() = default;

  /// The right value of an element; NaN if it is unknown and too expensive to compute.
  virtual double expected(std::size_t row, std::size_t column) const = 0;

  /// The right values of a whole column.
  virtual std::vector<double> expected_column(std::size_t column) const = 0;

  /// Whether expected() is cheap for every element.
  virtual bool everything_known() const = 0;

  double got_at(Position p) const { return got.at(p.row, p.column); }
  double expected_at(Position p) const { return expected(p.row, p.column); }

  /// Whether `value` equals `predicted` within the array's type and the case's tolerance. False for NaN.
  bool near(double value, double predicted) const;

  /// Whether the case is a product M · N of the first two inputs, by their shapes: (r, k) · (k, c) = (r, c).
  bool is_product() const;

  /// Whether an element of `got` differs from its right value, rounded to the array's type.
  bool wrong_at(Position p) const { return outside(got_at(p), got.rounded(expected_at(p)), tolerance); }

  const Array& got;
  const std::vector<const Array*> inputs;
  const Tolerance tolerance;
  const std::size_t rows, columns;
  RunFacts run;  ///< how the output was made, if known

  std::vector<bool> row_wrong;     ///< for each row, whether it has wrong elements
  std::vector<bool> column_wrong;  ///< for each column
  std::vector<Position> wrong;     ///< wrong elements, at most a few thousand, spread evenly, in memory order
  std::vector<Position> right;     ///< right elements, likewise
  double wrong_share = 0;          ///< share of all elements that are wrong
};

/// Evidence in which every value is known: `wrong_mask` has one bit for each element.
class ArrayEvidence : public Evidence {
 public:
  ArrayEvidence(const Array& got_array, const Array& expected_array, std::vector<const Array*> input_arrays,
                const Tolerance& allowed, const std::vector<bool>& wrong_mask);
  double expected(std::size_t row, std::size_t column) const override { return expected_.at(row, column); }
  std::vector<double> expected_column(std::size_t column) const override;
  bool everything_known() const override { return true; }

 private:
  const Array& expected_;
};

/// Evidence on got = inputs[0] · inputs[1]: the wrong rows and columns are known, and rows are computed on request.
class ProductEvidence : public Evidence {
 public:
  ProductEvidence(const Array& got_array, std::vector<const Array*> input_arrays, const Tolerance& allowed,
                  const std::vector<std::size_t>& wrong_rows, const std::vector<std::size_t>& wrong_columns);
  double expected(std::size_t row, std::size_t column) const override;
  std::vector<double> expected_column(std::size_t column) const override;
  bool everything_known() const override { return false; }

 private:
  void learn(const std::vector<std::size_t>& wanted) const;

  mutable std::map<std::size_t, std::vector<double>> known_;  ///< row → its exact values
  std::size_t most_known_ = 0;                                ///< most rows that may be computed
};

}  // namespace grader
