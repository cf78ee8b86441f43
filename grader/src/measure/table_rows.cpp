// Sorts a table's rows, and finds the case that verifies each row.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "measure/measure.hpp"

namespace grader {

void sort_fastest_first(const TableSpec& spec, std::vector<TableRow>& rows) {
  const std::size_t time = main_column(spec).value_or(0);
  const auto key = [time](const TableRow& row) {
    const bool measured = time < row.cells.size() && !row.cells[time].samples.empty();
    return measured ? row.cells[time].median() : std::numeric_limits<double>::infinity();
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const TableRow& a, const TableRow& b) { return key(a) < key(b); });
}

Macros macros_of(const TableSpec& spec, const TableRow& row) {
  Macros macros;
  for (std::size_t i = 0; i < spec.axes.size(); ++i) {
    if (spec.axes[i].kind == Axis::Kind::macro) macros[spec.axes[i].name] = row.key[i];
  }
  return macros;
}

namespace {

/// N of the argument "--devices=N" of a row. No value if the row has no such argument.
std::optional<int> devices_of(const TableSpec& spec, const TableRow& row) {
  constexpr std::string_view option = "--devices=";
  for (const std::string& argument : arguments_of(spec, row)) {
    if (!argument.starts_with(option)) continue;
    int count = 0;
    const char* const end = argument.data() + argument.size();
    if (std::from_chars(argument.data() + option.size(), end, count).ptr == end && count > 0) return count;
  }
  return std::nullopt;
}

}  // namespace

std::string missing_devices(const TableSpec& spec, const TableRow& row, Backend backend,
                            std::size_t present) {
  const int needed = devices_of(spec, row).value_or(1);
  return backend == Backend::emu || static_cast<std::size_t>(needed) <= present
             ? ""
             : fmt::format("needs {} GPUs; this machine has {}", needed, present);
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
  c.devices = devices_of(spec, row).value_or(spec.devices);
  c.requirements.clear();
  c.from_device = false;  // proving the origin would affect the times
  for (const Case& other : lab.cases) {
    c.timeout_emu = std::max(c.timeout_emu, other.timeout_emu);
    c.timeout_gpu = std::max(c.timeout_gpu, other.timeout_gpu);
  }
  return c;
}

}  // namespace grader
