// A table as a plot: one panel for each unit, one line with error bars for each column (and for each
// combination of further axes). The x axis is the first axis of the table: numeric where its values are
// numbers, logarithmic where they span a factor of eight.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <map>

#include "base/columns.hpp"
#include "base/error.hpp"
#include "base/scratch.hpp"
#include "process/process.hpp"
#include "report/table.hpp"

namespace grader {
namespace {

constexpr double log_from = 8;  ///< largest over smallest value from which an axis is logarithmic

/// A gnuplot string in single quotes, within which gnuplot expands nothing.
std::string plot_string(const std::string& text) {
  std::string out = "'";
  for (const char c : printable(text)) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

/// "128" and "128×128" are 128; NaN for what does not begin with a number.
double leading_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end != text.data() ? value : std::nan("");
}

struct XAxis {
  std::map<std::string, double> position;  ///< value of the axis → place on it
  std::vector<std::pair<double, std::string>> tics;
  bool numeric = false;
  bool logarithmic = false;
};

XAxis x_axis(const Table& t) {
  std::vector<std::pair<std::string, std::string>> values;  // in the table's order, with labels
  for (const TableRow& row : t.rows) {
    if (row.key.empty()) continue;
    const auto same = [&](const auto& value) { return value.first == row.key[0]; };
    if (std::none_of(values.begin(), values.end(), same))
      values.emplace_back(row.key[0], row.label.empty() ? row.key[0] : row.label);
  }
  std::vector<double> numbers;
  for (const auto& value : values) numbers.push_back(leading_number(value.first));
  XAxis out;
  out.numeric = !numbers.empty() &&
                std::all_of(numbers.begin(), numbers.end(), [](double n) { return n > 0; }) &&
                std::adjacent_find(numbers.begin(), numbers.end(), std::greater_equal<>()) == numbers.end();
  out.logarithmic = out.numeric && numbers.back() / numbers.front() >= log_from;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double at = out.numeric ? numbers[i] : static_cast<double>(i);
    out.position[values[i].first] = at;
    out.tics.emplace_back(at, values[i].second);
  }
  return out;
}

struct Line {
  std::string title;
  std::vector<std::array<double, 4>> points;  ///< x, median, smallest, largest
};

/// Values of the axes after the first that tell lines apart:
/// a label speaks for itself, a number needs the axis's name.
std::string further_axes(const Table& t, const TableRow& row) {
  std::string out;
  for (std::size_t a = 1; a < row.key.size() && a < t.spec.axes.size(); ++a) {
    const Axis& axis = t.spec.axes[a];
    const auto same = [&](const TableRow& other) {
      return a < other.key.size() && other.key[a] == row.key[a];
    };
    if (std::all_of(t.rows.begin(), t.rows.end(), same)) continue;
    const std::string label = axis.label_of(row.key[a]);
    out += label == row.key[a] ? fmt::format(", {} {}", axis.name, label) : ", " + label;
  }
  return out;
}

/// The lines of every column with this unit.
std::vector<Line> lines_of_unit(const Table& t, const XAxis& x, const std::string& unit) {
  std::vector<Line> lines;
  for (std::size_t c = 0; c < t.spec.columns.size(); ++c) {
    if (t.spec.columns[c].unit != unit) continue;
    for (const TableRow& row : t.rows) {
      if (c >= row.cells.size() || row.cells[c].samples.empty() || row.key.empty()) continue;
      const std::string title = t.spec.columns[c].title + further_axes(t, row);
      auto line = std::find_if(lines.begin(), lines.end(), [&](const Line& l) { return l.title == title; });
      if (line == lines.end()) line = lines.insert(lines.end(), Line{title, {}});
      const auto [least, greatest] =
          std::minmax_element(row.cells[c].samples.begin(), row.cells[c].samples.end());
      line->points.push_back({x.position.at(row.key[0]), row.cells[c].median(), *least, *greatest});
    }
  }
  return lines;
}

constexpr std::size_t plot_characters = 85;  ///< of the font, in the width of the plot

/// Characters as a reader counts them.
std::size_t width_of(const std::string& utf8) {
  return static_cast<std::size_t>(
      std::count_if(utf8.begin(), utf8.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

/// Whether labels at even distances stand beside each other without touching.
bool labels_fit(const XAxis& x) {
  std::size_t longest = 0;
  for (const auto& [at, label] : x.tics) longest = std::max(longest, width_of(label));
  return longest * x.tics.size() <= plot_characters;
}

/// Numbers do not stand at even distances:
/// a label that would touch the one before it is left out, its mark stays.
void thin_labels(XAxis& x) {
  if (!x.numeric || x.tics.size() < 2) return;
  const auto scale = [&](double at) { return x.logarithmic ? std::log(at) : at; };
  const double first = scale(x.tics.front().first), span = scale(x.tics.back().first) - first;
  double free_from = -INFINITY;
  for (auto& [at, label] : x.tics) {
    const double middle = plot_characters * (scale(at) - first) / span;
    const double half = 0.5 * static_cast<double>(width_of(label)) + 0.5;
    if (middle - half < free_from) {
      label.clear();
    } else {
      free_from = middle + half;
    }
  }
}

bool spans_much(const std::vector<Line>& lines) {
  double least = INFINITY, greatest = 0;
  for (const Line& line : lines) {
    for (const auto& point : line.points) {
      least = std::min(least, point[2]);
      greatest = std::max(greatest, point[3]);
    }
  }
  return least > 0 && greatest / least >= log_from;
}

std::string unit_words(const std::string& unit) {
  if (unit == "s") return "time [s]";
  if (unit == "B/s") return "rate [B/s]";
  return unit == "1" || unit.empty() ? "ratio" : unit;
}

std::string panel(const Table& t, const XAxis& x, const std::string& unit, const std::vector<Line>& lines,
                  int number) {
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out += fmt::format("$line_{}_{} << END_OF_DATA\n", number, i);
    for (const auto& point : lines[i].points)
      out += fmt::format("{} {} {} {}\n", point[0], point[1], point[2], point[3]);
    out += "END_OF_DATA\n";
  }
  out +=
      fmt::format("set xlabel {} offset 0,0.6\nset ylabel {}\n",
                  plot_string(t.spec.axes.empty() ? "" : t.spec.axes[0].name), plot_string(unit_words(unit)));
  out += x.logarithmic ? "set logscale x\n" : "unset logscale x\n";
  out += spans_much(lines) ? "set logscale y\n" : "unset logscale y\nset yrange [0:*]\n";
  out += spans_much(lines) ? "set yrange [*:*]\n" : "";
  out += unit == "1"         ? "set format y '%g'\n"
         : spans_much(lines) ? "set format y '%.0s %c'\n"
                             : "set format y '%.1s %c'\n";  // 1.4 µ, 1.6 µ: not twice the same
  out += "plot ";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out += fmt::format(
        "{}$line_{}_{} using 1:2:3:4 with yerrorlines linewidth 2 pointtype 7 pointsize 0.5 title {}",
        i > 0 ? ", \\\n     " : "", number, i, plot_string(lines[i].title));
  }
  return out + "\n";
}

}  // namespace

std::string table_plot_script(const Table& t) {
  XAxis x = x_axis(t);
  const bool turned = !labels_fit(x);
  if (!turned) thin_labels(x);
  std::vector<std::pair<std::string, std::vector<Line>>> panels;
  for (const Column& column : t.spec.columns) {
    const auto same = [&](const auto& p) { return p.first == column.unit; };
    if (std::any_of(panels.begin(), panels.end(), same)) continue;
    if (std::vector<Line> lines = lines_of_unit(t, x, column.unit); !lines.empty())
      panels.emplace_back(column.unit, std::move(lines));
  }
  if (panels.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("Table {} of {} has no measured value to plot.", t.spec.id, t.lab),
                fmt::format("grader table {} --id {}", t.lab, t.spec.id));
  }
  std::string title = fmt::format("{} ({})", t.spec.title,
                                  t.backend == Backend::emu ? "EMULATION: not times of a GPU"
                                  : t.device.empty()        ? "GPU"
                                                            : t.device);
  std::string out =
      fmt::format("set terminal svg noenhanced size 800,{} font 'sans-serif,13' background '#ffffff'\n",
                  80 + 380 * panels.size());
  out += "set grid\nset key outside below\n";
  if (!x.tics.empty()) {
    // A margin, so that the first and the last point do not stand on the frame.
    const double first = x.tics.front().first, last = x.tics.back().first;
    const double margin = std::max(0.05 * (last - first), 0.5);
    out += x.logarithmic ? fmt::format("set xrange [{}:{}]\n", first / 1.5, last * 1.5)
                         : fmt::format("set xrange [{}:{}]\n", first - margin, last + margin);
  }
  out += turned ? "set xtics rotate by -15 (" : "set xtics norotate (";
  for (std::size_t i = 0; i < x.tics.size(); ++i)
    out += fmt::format("{}{} {}", i > 0 ? ", " : "", plot_string(x.tics[i].second), x.tics[i].first);
  out += ")\n";
  out += fmt::format("set multiplot layout {},1 title {}\n", panels.size(), plot_string(title));
  for (std::size_t i = 0; i < panels.size(); ++i)
    out += panel(t, x, panels[i].first, panels[i].second, static_cast<int>(i));
  return out + "unset multiplot\n";
}

std::string table_svg(const Table& table) {
  const std::string script = table_plot_script(table);
  if (find_program("gnuplot").empty()) {
    throw Error(ErrorKind::environment, "gnuplot, which draws the plot, is not installed.",
                "sudo apt install gnuplot-nox, or use another --format");
  }
  std::error_code no_folder;
  const ScratchFolder scratch(fs::temp_directory_path(no_folder), "plot");
  const fs::path file = scratch.path() / "plot.gp";
  std::ofstream(file) << script;
  ProcessRequest request;
  request.argv = {"gnuplot", file.string()};
  request.cwd = scratch.path();
  request.limits.wall_s = 30;
  request.limits.output = 16 << 20;
  const ProcessResult result = run_process(request);
  if (result.end != ProcessResult::End::exited || result.code != 0 ||
      result.out.find("</svg>") == std::string::npos) {
    const auto said = split_lines(result.err.empty() ? result.error : result.err);
    throw Error(
        ErrorKind::environment,
        fmt::format("gnuplot could not draw the plot{}.", said.empty() ? "" : ": " + printable(said.back())),
        "gnuplot --version; use another --format meanwhile");
  }
  return result.out;
}

}  // namespace grader
