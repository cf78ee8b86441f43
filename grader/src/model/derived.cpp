// Computes the columns that follow from a table's samples: ratios and gains.
#include <algorithm>

#include "model/table.hpp"

namespace grader {
namespace {

/// The row with which a row's derived value is compared; null if there is none.
const TableRow* row_to_compare(const TableSpec& spec, const Column& column, const TableRow& row,
                               const std::vector<TableRow>& rows) {
  const auto axis =
      static_cast<std::size_t>(std::find_if(spec.axes.begin(), spec.axes.end(),
                                            [&](const Axis& a) { return a.name == column.along; }) -
                               spec.axes.begin());
  std::vector<std::string> key = row.key;
  if (column.measure.kind == Measure::Kind::ratio) {
    if (key.empty()) return nullptr;
    key[0] = spec.baseline;
  } else {
    if (axis >= key.size()) return nullptr;
    const TableRow* before = nullptr;  // the nearest row above that differs only in this axis
    for (const TableRow& other : rows) {
      if (&other == &row) return before;
      if (other.key.size() != key.size()) continue;
      key[axis] = other.key[axis];
      if (other.key == key) before = &other;
    }
    return nullptr;
  }
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const TableRow& r) { return r.key == key; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

bool is_derived(const Measure& measure) {
  return measure.kind == Measure::Kind::ratio || measure.kind == Measure::Kind::gain;
}

void fill_derived(const TableSpec& spec, std::vector<TableRow>& rows) {
  for (std::size_t c = 0; c < spec.columns.size(); ++c) {
    const Column& column = spec.columns[c];
    if (!is_derived(column.measure)) continue;
    const auto of = static_cast<std::size_t>(
        std::find_if(spec.columns.begin(), spec.columns.end(),
                     [&](const Column& other) { return other.id == column.measure.name; }) -
        spec.columns.begin());
    for (TableRow& row : rows) {
      row.cells[c].samples.clear();
      const TableRow* const base = row_to_compare(spec, column, row, rows);
      if (base == nullptr || of >= base->cells.size() || base->cells[of].samples.empty()) continue;
      const double one = base->cells[of].median();
      if (!(one > 0)) continue;
      for (const double sample : row.cells[of].samples)
        row.cells[c].samples.push_back(column.measure.kind == Measure::Kind::gain ? 1 - sample / one
                                                                                  : sample / one);
    }
  }
}

}  // namespace grader
