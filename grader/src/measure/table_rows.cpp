// Ratios of a table's rows, their order, and the case that verifies each.
#include <algorithm>
#include <limits>

#include "measure/measure.hpp"

namespace grader {
namespace {

/// Column that a ratio refers to, or none for other measures.
std::optional<std::size_t> ratio_of(const TableSpec& spec, const Measure& measure) {
  if (measure.kind != Measure::Kind::ratio) return std::nullopt;
  for (std::size_t i = 0; i < spec.columns.size(); ++i) {
    if (spec.columns[i].id == measure.name) return i;
  }
  return std::nullopt;
}

}  // namespace

void sort_fastest_first(const TableSpec& spec, std::vector<TableRow>& rows) {
  const std::size_t time = main_column(spec).value_or(0);
  const auto key = [time](const TableRow& row) {
    const bool measured = time < row.cells.size() && !row.cells[time].samples.empty();
    return measured ? row.cells[time].median() : std::numeric_limits<double>::infinity();
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const TableRow& a, const TableRow& b) { return key(a) < key(b); });
}

void fill_ratios(const TableSpec& spec, std::vector<TableRow>& rows) {
  for (std::size_t column = 0; column < spec.columns.size(); ++column) {
    const auto source = ratio_of(spec, spec.columns[column].measure);
    if (!source) continue;
    for (TableRow& row : rows) {
      const auto base = std::find_if(rows.begin(), rows.end(), [&](const TableRow& other) {
        return !other.key.empty() && other.key[0] == spec.baseline && other.key.size() == row.key.size() &&
               std::equal(other.key.begin() + 1, other.key.end(), row.key.begin() + 1);
      });
      row.cells[column].samples.clear();
      if (base == rows.end() || base->cells[*source].samples.empty()) continue;
      const double one = base->cells[*source].median();
      if (!(one > 0)) continue;
      for (const double sample : row.cells[*source].samples)
        row.cells[column].samples.push_back(sample / one);
    }
  }
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

Macros macros_of(const TableSpec& spec, const TableRow& row) {
  Macros macros;
  for (std::size_t i = 0; i < spec.axes.size(); ++i) {
    if (spec.axes[i].kind == Axis::Kind::macro) macros[spec.axes[i].name] = row.key[i];
  }
  return macros;
}

Case case_of_row(const Lab& lab, const TableSpec& spec, const TableRow& row) {
  const std::vector<std::string> args = arguments_of(spec, row);
  const Case* const like = case_for(lab, args);
  Case c = like != nullptr ? *like : Case();
  c = with_arguments(c, args.empty() ? c.args : args);
  if (spec.tolerance) c.tolerance = *spec.tolerance;
  c.id = "table " + spec.id;
  c.seed.reset();
  c.visibility = Visibility::visible;
  c.devices = spec.devices;
  c.requirements.clear();
  c.from_device = false;  // proving that would disturb the timing
  for (const Case& other : lab.cases) {
    c.timeout_emu = std::max(c.timeout_emu, other.timeout_emu);
    c.timeout_gpu = std::max(c.timeout_gpu, other.timeout_gpu);
  }
  return c;
}

}  // namespace grader
