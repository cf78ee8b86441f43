#include "model/table_csv.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "base/columns.hpp"
#include "base/csv_row.hpp"
#include "base/error.hpp"

namespace grader {
namespace {

/// The facts about a table that are texts, with their names in the file.
constexpr std::pair<const char*, std::string Table::*> facts[] = {
    {"device", &Table::device},   {"times", &Table::time_source}, {"measured", &Table::measured_at},
    {"machine", &Table::machine}, {"command", &Table::command},   {"fingerprint", &Table::fingerprint},
};

std::string first_line(const Table& t) {
  return fmt::format("# Samples of table {} of {},", t.spec.id, t.lab);
}

/// Whether the values of the axis are options. The file contains them without their dashes, since a
/// spreadsheet would read "--map=bb" as a formula.
bool has_options(const Axis& axis) {
  return !axis.values.empty() && axis.values.front().starts_with("--");
}

std::string heading(const Column& column) {
  return column.unit == "1" || column.unit.empty() ? column.id
                                                   : fmt::format("{} ({})", column.id, column.unit);
}

bool is_stored(const Column& column) {
  return !is_derived(column.measure);
}

template <class Number>
Number number_from(std::string_view text) {
  Number number{};
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || rest != text.data() + text.size())
    throw Error(ErrorKind::fault, fmt::format("\"{}\" is no number.", text));
  return number;
}

std::vector<double> samples_from(std::string_view text) {
  std::vector<double> samples;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    samples.push_back(number_from<double>(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return samples;
}

void read_fact(Table& t, const std::string& line) {
  const std::size_t colon = line.find(": ");
  const std::string word = line.substr(2, colon - 2);
  const std::string value = colon == std::string::npos ? "" : line.substr(colon + 2);
  if (word == "runs") t.spec.samples = number_from<int>(value);
  if (word == "note") t.notes.push_back(value);
  for (const auto& [name, member] : facts)
    if (word == name) t.*member = value;
}

TableRow row_from(const Table& t, const std::vector<std::string>& heads,
                  const std::vector<std::string>& cells) {
  TableRow row;
  row.cells.resize(t.spec.columns.size());
  if (cells.size() != heads.size())
    throw Error(ErrorKind::fault,
                fmt::format("A line has {} cells for {} columns.", cells.size(), heads.size()));
  const std::size_t axes = t.spec.axes.size();
  for (std::size_t a = 0; a < axes; ++a)
    row.key.push_back((has_options(t.spec.axes[a]) ? "--" : "") + cells[a]);
  row.label = t.spec.axes.empty() ? "" : t.spec.axes[0].label_of(row.key[0]);
  row.note = cells.back();
  for (std::size_t i = axes; i + 1 < heads.size(); ++i) {
    const auto column = std::find_if(t.spec.columns.begin(), t.spec.columns.end(),
                                     [&](const Column& c) { return is_stored(c) && heading(c) == heads[i]; });
    if (column != t.spec.columns.end())
      row.cells[static_cast<std::size_t>(column - t.spec.columns.begin())].samples = samples_from(cells[i]);
  }
  return row;
}

}  // namespace

std::string table_csv(const Table& t) {
  std::string out = first_line(t) + " in s, B/s, B or 1. `grader table` reads and writes this file.\n";
  const auto fact = [&](const char* word, const std::string& value) {
    if (!value.empty()) out += fmt::format("# {}: {}\n", word, printable(value));
  };
  fact("backend", to_string(t.backend));
  for (const auto& [word, member] : facts) fact(word, t.*member);
  fact("runs", std::to_string(t.spec.samples));
  for (const std::string& note : t.notes) fact("note", note);
  for (const Axis& axis : t.spec.axes) out += csv_cell(axis.name) + ",";
  for (const Column& column : t.spec.columns)
    if (is_stored(column)) out += csv_cell(heading(column)) + ",";
  out += "note\n";
  for (const TableRow& row : t.rows) {
    for (std::size_t a = 0; a < t.spec.axes.size(); ++a) {
      const std::string value = a < row.key.size() ? row.key[a] : "";
      out += csv_cell(has_options(t.spec.axes[a]) ? value.substr(std::min<std::size_t>(2, value.size()))
                                                  : value) +
             ",";
    }
    for (std::size_t c = 0; c < t.spec.columns.size(); ++c)
      if (is_stored(t.spec.columns[c]))
        out += fmt::format(
            "{},", fmt::join(c < row.cells.size() ? row.cells[c].samples : std::vector<double>{}, " "));
    out += csv_cell(printable(row.note)) + "\n";
  }
  return out;
}

std::optional<Table> table_from_csv(const std::string& text, const Lab& lab, const TableSpec& spec,
                                    bool peers) {
  Table t;
  t.lab = lab.id;
  t.backend = text.find("\n# backend: gpu\n") != std::string::npos ? Backend::gpu : Backend::emu;
  t.spec = peers ? with_peers(lab, spec, t.backend) : spec;
  if (!text.starts_with(first_line(t)))
    throw Error(ErrorKind::fault, fmt::format("It holds no table {} of {}.", t.spec.id, lab.id));
  std::size_t at = 0;
  while (at < text.size() && text[at] == '#') {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    read_fact(t, text.substr(at, end - at));
    at = std::min(end + 1, text.size());
  }
  const std::vector<std::string> heads = read_csv_row(text, at).cells;
  const std::size_t axes = t.spec.axes.size();
  if (heads.back() != "note") throw Error(ErrorKind::fault, "Its last column is not \"note\".");
  for (std::size_t a = 0; a < axes; ++a)
    if (a + 1 >= heads.size() || heads[a] != t.spec.axes[a].name) return std::nullopt;
  while (at < text.size()) t.rows.push_back(row_from(t, heads, read_csv_row(text, at).cells));
  fill_derived(t.spec, t.rows);
  return t;
}

}  // namespace grader
