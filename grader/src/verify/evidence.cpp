#include "verify/evidence.hpp"

#include <algorithm>
#include <cmath>

#include "verify/product.hpp"

namespace grader {
namespace {

constexpr std::size_t most_samples = 8192;           // positions of each kind
constexpr std::size_t sampling_budget = 40'000'000;  // multiplications for the sampled rows of a product
constexpr std::size_t most_asked_rows = 24;  // rows that hypotheses may request besides the sampled rows

/// Keeps at most `limit` of the added positions, which are spread evenly. It always keeps the first position.
class Spread {
 public:
  Spread(std::size_t of, std::size_t limit, std::vector<Position>& to)
      : step_(std::max<std::size_t>(1, (of + limit - 1) / limit)), to_(to) {}
  void add(Position p) {
    // The offset within each step varies. Otherwise a step that is a multiple of the row length would sample only one
    // column.
    const std::size_t piece = seen_ / step_;
    if (seen_ % step_ == (piece * 7919) % step_) to_.push_back(p);
    ++seen_;
  }

 private:
  std::size_t step_, seen_ = 0;
  std::vector<Position>& to_;
};

}  // namespace

Evidence::Evidence(const Array& got_array, std::vector<const Array*> input_arrays, const Tolerance& allowed)
    : got(got_array),
      inputs(std::move(input_arrays)),
      tolerance(allowed),
      rows(got.rows()),
      columns(got.columns()),
      row_wrong(rows),
      column_wrong(columns) {}

bool Evidence::near(double value, double predicted) const {
  if (!std::isfinite(value) || !std::isfinite(predicted)) return value == predicted;
  // Real data that the program computed in another order differ slightly from the prediction.
  const bool real = tolerance.abs != 0 || tolerance.rel != 0 || predicted != std::nearbyint(predicted);
  const double slack = real ? std::max(tolerance.rel, 1e-6) * std::fabs(predicted) + tolerance.abs : 0;
  return std::fabs(value - got.rounded(predicted)) <= slack;
}

bool Evidence::is_product() const {
  if (inputs.size() < 2 || got.shape().size() != 2) return false;
  const auto &m = inputs[0]->shape(), &n = inputs[1]->shape();
  return m.size() == 2 && n.size() == 2 && m[1] == n[0] && m[0] == rows && n[1] == columns;
}

ArrayEvidence::ArrayEvidence(const Array& got_array, const Array& expected_array,
                             std::vector<const Array*> input_arrays, const Tolerance& allowed,
                             const std::vector<bool>& wrong_mask)
    : Evidence(got_array, std::move(input_arrays), allowed), expected_(expected_array) {
  const auto wrong_count = static_cast<std::size_t>(std::count(wrong_mask.begin(), wrong_mask.end(), true));
  Spread wrong_ones(wrong_count, most_samples, wrong),
      right_ones(wrong_mask.size() - wrong_count, most_samples, right);
  wrong_share =
      static_cast<double>(wrong_count) / static_cast<double>(std::max<std::size_t>(1, wrong_mask.size()));
  for (std::size_t row = 0, i = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column, ++i) {
      (wrong_mask[i] ? wrong_ones : right_ones).add({row, column});
      if (wrong_mask[i]) row_wrong[row] = column_wrong[column] = true;
    }
  }
}

ProductEvidence::ProductEvidence(const Array& got_array, std::vector<const Array*> input_arrays,
                                 const Tolerance& allowed, const std::vector<std::size_t>& wrong_rows,
                                 const std::vector<std::size_t>& wrong_columns)
    : Evidence(got_array, std::move(input_arrays), allowed) {
  for (const std::size_t row : wrong_rows) row_wrong[row] = true;
  for (const std::size_t column : wrong_columns) column_wrong[column] = true;

  const std::size_t affordable = sampling_budget / std::max<std::size_t>(1, inputs[1]->size());
  const std::size_t count = std::min(rows, std::max<std::size_t>(affordable, 6));
  std::vector<std::size_t> sample = {0, rows - 1};  // most mistakes affect these rows
  for (std::size_t i = 0; i < count; ++i) {
    sample.push_back(i * rows / count);
    if (!wrong_rows.empty() && i % 2 == 0) sample.push_back(wrong_rows[i * wrong_rows.size() / count]);
  }
  std::sort(sample.begin(), sample.end());
  sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
  learn(sample);
  most_known_ = sample.size() + most_asked_rows;

  std::vector<Position> wrong_ones, right_ones;
  for (const std::size_t row : sample)
    for (std::size_t column = 0; column < columns; ++column)
      (wrong_at({row, column}) ? wrong_ones : right_ones).push_back({row, column});
  Spread wrong_spread(wrong_ones.size(), most_samples, wrong),
      right_spread(right_ones.size(), most_samples, right);
  for (const Position p : wrong_ones) wrong_spread.add(p);
  for (const Position p : right_ones) right_spread.add(p);
  wrong_share = static_cast<double>(wrong_ones.size()) / static_cast<double>(sample.size() * columns);
}

std::vector<double> ArrayEvidence::expected_column(std::size_t column) const {
  std::vector<double> values(rows);
  for (std::size_t row = 0; row < rows; ++row) values[row] = expected_.at(row, column);
  return values;
}

void ProductEvidence::learn(const std::vector<std::size_t>& wanted) const {
  const auto values = product_rows({*inputs[0]}, {*inputs[1]}, wanted);
  for (std::size_t i = 0; i < wanted.size(); ++i) known_[wanted[i]] = values[i];
}

std::vector<double> ProductEvidence::expected_column(std::size_t column) const {
  return product_rows({*inputs[1], true}, {*inputs[0], true}, {column})[0];  // a row of (M · N)ᵀ = Nᵀ · Mᵀ
}

double ProductEvidence::expected(std::size_t row, std::size_t column) const {
  auto known = known_.find(row);
  if (known == known_.end()) {
    if (known_.size() >= most_known_) return NAN;
    learn({row});
    known = known_.find(row);
  }
  return known->second[column];
}

}  // namespace grader
