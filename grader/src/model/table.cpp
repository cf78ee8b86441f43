// Computes the statistics of a measurement, and lists the rows of a table.
#include "model/table.hpp"

#include <algorithm>
#include <limits>

namespace grader {

double Measurement::median() const {
  if (samples.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> sorted = samples;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

double Measurement::spread() const {
  if (samples.size() < 2) return 0;
  const auto [least, greatest] = std::minmax_element(samples.begin(), samples.end());
  if (*least == *greatest) return 0;  // also if all samples are 0, as in a run without copies
  return (*greatest - *least) / median();
}

std::vector<TableRow> table_rows(const TableSpec& spec, Backend backend) {
  std::vector<TableRow> rows(1);
  for (const Axis& axis : spec.axes) {
    std::vector<TableRow> wider;
    for (const TableRow& row : rows) {
      for (const std::string& value : axis.values_on(backend)) {
        TableRow next = row;
        next.key.push_back(value);
        wider.push_back(std::move(next));
      }
    }
    rows = std::move(wider);
  }
  for (TableRow& row : rows) {
    if (!spec.axes.empty()) row.label = spec.axes[0].label_of(row.key[0]);
    row.cells.resize(spec.columns.size());
  }
  return rows;
}

std::vector<std::string> arguments_of(const TableSpec& spec, const TableRow& row) {
  std::vector<std::string> arguments;
  for (std::size_t i = 0; i < spec.axes.size(); ++i) {
    if (spec.axes[i].kind == Axis::Kind::argument) arguments.push_back(row.key[i]);
  }
  return arguments;
}

std::optional<std::size_t> main_column(const TableSpec& spec) {
  std::optional<std::size_t> last;
  for (std::size_t i = 0; i < spec.columns.size(); ++i) {
    if (spec.columns[i].measure.kind == Measure::Kind::kernel) last = i;
  }
  return last;
}

std::size_t samples_of(const TableRow& row) {
  std::size_t most = 0;
  for (const Measurement& cell : row.cells) most = std::max(most, cell.samples.size());
  return most;
}

}  // namespace grader
