// Writes tables as text, Markdown, CSV and LaTeX. All except CSV show "median ±spread %". The four formats share the
// cells and the sentence below the table.
#include "report/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/columns.hpp"
#include "base/markup.hpp"
#include "report/plot.hpp"

namespace grader {
namespace {

std::string spread_text(const Measurement& cell) {
  if (cell.samples.size() < 2) return "";
  const double percent = 100 * cell.spread();
  return percent >= 9.5 || percent == 0 ? fmt::format("{:.0f} %", percent) : fmt::format("{:.1f} %", percent);
}

/// The heading of a row for its value of an axis.
std::string axis_value(const TableSpec& spec, const TableRow& row, std::size_t axis) {
  if (axis == 0 && !row.label.empty()) return row.label;
  if (axis >= row.key.size()) return "";
  return axis < spec.axes.size() ? spec.axes[axis].label_of(row.key[axis]) : row.key[axis];
}

const Measurement* cell_of(const TableRow& row, std::size_t column) {
  return column < row.cells.size() && !row.cells[column].samples.empty() ? &row.cells[column] : nullptr;
}

/// How the times and rates of a column were measured; empty for other columns.
std::string column_times(const Table& t, const Column& column) {
  if (column.unit != "s" && column.unit != "B/s") return "";
  if (column.measure.kind == Measure::Kind::printed)
    return "times as the program prints them, from its own timers";
  const Measure own{Measure::Kind::own, column.measure.name};
  const bool in_turn = std::any_of(t.spec.columns.begin(), t.spec.columns.end(),
                                   [&](const Column& other) { return other.measure == own; });
  return time_source_words(in_turn ? "in turn" : t.time_source);
}

/// How the columns were timed: one text for all, or each text with the titles of its columns.
std::string times_words(const Table& t) {
  std::vector<std::pair<std::string, std::vector<std::string>>> ways;  // words, titles
  for (const Column& column : t.spec.columns) {
    const std::string words = column_times(t, column);
    if (words.empty()) continue;
    auto at = std::find_if(ways.begin(), ways.end(), [&](const auto& way) { return way.first == words; });
    if (at == ways.end()) at = ways.insert(ways.end(), {words, {}});
    if (std::find(at->second.begin(), at->second.end(), column.title) == at->second.end())
      at->second.push_back(column.title);
  }
  if (ways.size() == 1) return ways.front().first;
  std::string out;
  for (const auto& [words, titles] : ways)
    out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", fmt::join(titles, ", "), words);
  return out;
}

/// The facts that a reader needs for using the numbers.
std::string provenance(const Table& t) {
  const std::string where = t.backend == Backend::emu ? "emulation" : t.device.empty() ? "a GPU" : t.device;
  const std::string times = times_words(t);
  std::string out = fmt::format("{}, {}; {}{}", t.lab, where, times, times.empty() ? "" : "; ");
  out += t.time_source == "in turn"
             ? "medians"
             : fmt::format("median of {} run{}", t.spec.samples, t.spec.samples == 1 ? "" : "s");
  if (t.spec.samples > 1) out += ", ± is (largest − smallest) / median";
  return out + (t.measured_at.empty() ? "." : fmt::format("; {}.", t.measured_at));
}

constexpr const char* emulation_warning = "EMULATION: these are times of a CPU, and say nothing about a GPU.";

/// A cell's text, or "–" if the cell is not measured.
std::string cell_text(const Table& t, const TableRow& row, std::size_t column) {
  const Measurement* cell = cell_of(row, column);
  if (cell == nullptr) return "–";
  // A value that a program prints about itself, such as its occupancy, is the same in each run, unless it is
  // declared otherwise.
  const Measure::Kind kind = t.spec.columns[column].measure.kind;
  const bool fixed =
      (kind == Measure::Kind::printed || kind == Measure::Kind::counter) && cell->spread() == 0;
  // A gain may be near 0, so that a spread in percent of it would be huge.
  const std::string spread = fixed || kind == Measure::Kind::gain ? "" : spread_text(*cell);
  return value_text(cell->median(), t.spec.columns[column].unit, cell->spread()) +
         (spread.empty() ? "" : " ±" + spread);
}

/// Rows as text cells, the heading first.
std::vector<std::vector<std::string>> cells(const Table& t) {
  std::vector<std::vector<std::string>> out(1);
  for (const Axis& axis : t.spec.axes) out[0].push_back(axis.name);
  for (const Column& column : t.spec.columns) out[0].push_back(column.title);
  for (const TableRow& row : t.rows) {
    std::vector<std::string> line;
    for (std::size_t a = 0; a < t.spec.axes.size(); ++a) line.push_back(axis_value(t.spec, row, a));
    for (std::size_t c = 0; c < t.spec.columns.size(); ++c) line.push_back(cell_text(t, row, c));
    out.push_back(std::move(line));
  }
  return out;
}

std::string row_name(const TableSpec& spec, const TableRow& row) {
  std::string out;
  for (std::size_t i = 0; i < row.key.size(); ++i)
    out += (out.empty() ? "" : ", ") + axis_value(spec, row, i);
  return out;
}

std::string escape_markdown(const std::string& text) {
  std::string out;
  for (const char c : printable(text)) {
    if (std::string_view("\\`*_[]<>|#").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

/// "2.138·10¹²", for numbers with too many digits to read.
std::string power_text(double value) {
  static const char* const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  const std::string number = fmt::format("{:.3e}", value);  // "2.138e+12"
  const std::size_t e = number.find("e+");
  std::string digits = number.substr(0, e);
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.ends_with('.')) digits.pop_back();
  std::string out = digits + "·10";
  for (const char digit : number.substr(e + 2)) out += raised[digit - '0'];
  return out;
}

/// The value with as many digits as its spread allows: one digit if the spread is at least a half, two digits
/// if it is at least a twentieth, and so on.
double rounded(double value, double spread) {
  const int digits = std::max(1 + static_cast<int>(std::floor(-std::log10(spread / 5))), 1);
  return std::stod(fmt::format("{:.{}e}", value, digits - 1));
}

}  // namespace

std::string value_text(double value, const std::string& unit, double spread) {
  if (unit == "s") return human_time(value);
  if (unit == "B/s") return human_rate(value);
  if (unit == "B") return human_bytes(value);
  if (!std::isfinite(value)) return "–";
  if (unit == "%") return replace_all(fmt::format("{:.1f} %", 100 * value), "-", "−");
  if (spread > 0) value = rounded(value, spread);
  const bool whole = std::abs(value) >= 9999.5 || value == 0;
  const std::string number = std::abs(value) >= 1e10 ? power_text(value)
                             : whole                 ? fmt::format("{:.0f}", value)
                                                     : fmt::format("{:.4g}", value);
  return unit.empty() || unit == "1" ? number : number + " " + unit;
}

std::string time_source_words(const std::string& source) {
  if (source == "cupti") return "times from CUPTI";
  if (source == "events") return "CUPTI was not available: times from the program's own timers";
  if (source == "in turn") return "times of runs back to back, each program's in turn, in one process";
  if (source == "emulation") return "times from the emulation";
  return "no times";
}

namespace {

/// A heading split into several lines. If its words allow this, no line is wider than the column's values.
std::vector<std::string> broken_heading(const std::vector<std::vector<std::string>>& lines,
                                        std::size_t column) {
  int widest = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) widest = std::max(widest, display_width(lines[i][column]));
  return split_lines(wrap(lines[0][column], widest));
}

}  // namespace

std::string table_text(const Table& t, const Style& style) {
  std::string out = style.strong(t.spec.title) + "\n";
  if (t.backend == Backend::emu) out += wrap(style.warn(emulation_warning), style.width) + "\n";
  const auto lines = cells(t);
  std::vector<Align> alignment(t.spec.axes.size(), Align::left);
  alignment.resize(t.spec.axes.size() + t.spec.columns.size(), Align::right);
  Columns columns(alignment);
  std::vector<std::vector<std::string>> headings;
  std::size_t tallest = 0;
  for (std::size_t c = 0; c < alignment.size(); ++c) {
    headings.push_back(broken_heading(lines, c));
    tallest = std::max(tallest, headings.back().size());
  }
  for (std::size_t i = 0; i < tallest; ++i) {
    std::vector<std::string> line;
    for (const auto& heading : headings) line.push_back(i < heading.size() ? style.strong(heading[i]) : "");
    columns.add(std::move(line));
  }
  for (std::size_t i = 1; i < lines.size(); ++i) columns.add(lines[i]);
  out += "\n" + columns.text(2, style.width) + "\n";
  for (const TableRow& row : t.rows) {
    if (!row.note.empty())
      out += hanging(fmt::format("  {}: ", row_name(t.spec, row)), printable(row.note), style.width) + "\n";
  }
  for (const std::string& note : t.notes) out += hanging("  ", printable(note), style.width) + "\n";
  return out + wrap(style.faint(provenance(t)), style.width) + "\n";
}

std::string table_markdown(const Table& t) {
  std::string out = fmt::format("### {}\n\n", escape_markdown(t.spec.title));
  if (t.backend == Backend::emu) out += fmt::format("**{}**\n\n", emulation_warning);
  bool first = true;
  for (const auto& line : cells(t)) {
    for (const std::string& cell : line) out += "| " + escape_markdown(cell) + " ";
    out += "|\n";
    if (!first) continue;
    for (std::size_t i = 0; i < line.size(); ++i) out += i < t.spec.axes.size() ? "|:---" : "|---:";
    out += "|\n";
    first = false;
  }
  out += "\n";
  std::string notes;
  for (const TableRow& row : t.rows) {
    if (!row.note.empty())
      notes += fmt::format("* {}: {}\n", escape_markdown(row_name(t.spec, row)), escape_markdown(row.note));
  }
  for (const std::string& note : t.notes) notes += fmt::format("* {}\n", escape_markdown(note));
  if (!notes.empty()) out += notes + "\n";
  return out + escape_markdown(provenance(t)) + "\n";
}

std::string table_in_words(const Table& t) {
  return "*In words:* " + escape_markdown(plot_description(plot_of(t))) + "\n";
}

std::string table_latex(const Table& t) {
  const std::string alignment =
      std::string(t.spec.axes.size(), 'l') + std::string(t.spec.columns.size(), 'r');
  std::string out =
      fmt::format("\\begin{{table}}\n  \\centering\n  \\begin{{tabular}}{{{}}}\n    \\hline\n", alignment);
  bool first = true;
  for (const auto& line : cells(t)) {
    std::string text;
    for (const std::string& cell : line) text += (text.empty() ? "" : " & ") + latex_text(cell);
    out += "    " + text + " \\\\\n";
    if (first) out += "    \\hline\n";
    first = false;
  }
  std::string caption = latex_text(t.spec.title) + ". ";
  if (t.backend == Backend::emu) caption += std::string(emulation_warning) + " ";
  caption += latex_text(provenance(t));
  for (const TableRow& row : t.rows) {
    if (!row.note.empty())
      caption += fmt::format(" {}: {}", latex_text(row_name(t.spec, row)), latex_text(row.note));
  }
  for (const std::string& note : t.notes) caption += " " + latex_text(note);
  return out + fmt::format("    \\hline\n  \\end{{tabular}}\n  \\caption{{{}}}\n\\end{{table}}\n", caption);
}

}  // namespace grader
