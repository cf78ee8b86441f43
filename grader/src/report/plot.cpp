#include "report/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "report/table.hpp"

namespace grader {
namespace {

constexpr double log_from = 8;      ///< an axis is logarithmic from this ratio of largest to smallest value
constexpr double covers_at = 0.02;  ///< share of the axis: lines nearer than this cover each other

/// The number in an axis value: "128" and "--length=128" are 128. NaN for any other value.
double number_of(const std::string& value) {
  const std::size_t equals = value.starts_with("--") ? value.find('=') : std::string::npos;
  const char* const begin = value.data() + (equals == std::string::npos ? 0 : equals + 1);
  const char* const end = value.data() + value.size();
  double number = 0;
  const auto [rest, error] = std::from_chars(begin, end, number);
  return error == std::errc() && rest == end ? number : std::nan("");
}

struct XValue {
  std::string value, label;
  double number;
};

/// The values of the first axis, in the table's order, or sorted if they are numbers.
std::vector<XValue> x_values(const Table& t, bool& numeric) {
  std::vector<XValue> values;
  for (const TableRow& row : t.rows) {
    if (row.key.empty()) continue;
    const auto same = [&](const XValue& v) { return v.value == row.key[0]; };
    if (std::any_of(values.begin(), values.end(), same)) continue;
    values.push_back({row.key[0], row.label.empty() ? row.key[0] : row.label, number_of(row.key[0])});
  }
  // "on" and "off" are 1 and 0 for the compiler, but not numbers for a reader.
  numeric = !values.empty() && std::all_of(values.begin(), values.end(), [](const XValue& v) {
    return v.number >= 0 && (v.label == v.value || (v.label[0] >= '0' && v.label[0] <= '9'));
  });
  if (numeric)
    std::stable_sort(values.begin(), values.end(),
                     [](const XValue& a, const XValue& b) { return a.number < b.number; });
  return values;
}

PlotAxis x_axis(const Table& t, std::map<std::string, double>& position) {
  PlotAxis axis;
  axis.name = t.spec.axes.empty() ? "" : t.spec.axes[0].name;
  const std::vector<XValue> values = x_values(t, axis.numeric);
  axis.logarithmic =
      axis.numeric && values.front().number > 0 && values.back().number / values.front().number >= log_from;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double at = axis.numeric ? values[i].number : static_cast<double>(i);
    position[values[i].value] = at;
    axis.tics.emplace_back(at, values[i].label);
  }
  return axis;
}

/// Whether all rows have the same value of an axis.
bool is_fixed(const Table& t, std::size_t axis) {
  return std::all_of(t.rows.begin(), t.rows.end(), [&](const TableRow& row) {
    return axis < row.key.size() && row.key[axis] == t.rows.front().key[axis];
  });
}

/// The words for a value of an axis. A label alone is clear, but a number needs the axis's name.
std::string axis_words(const Axis& axis, const std::string& value) {
  const std::string label = axis.label_of(value);
  if (label != value || axis.name.empty()) return label;
  if (value.starts_with("--")) return value.substr(value.find('=') + 1);
  return axis.name + " " + label;
}

/// The values of the axes, beginning with axis number `from`. They distinguish the lines of a plot.
std::string further_axes(const Table& t, const TableRow& row, std::size_t from = 1) {
  std::string out;
  for (std::size_t a = from; a < row.key.size() && a < t.spec.axes.size(); ++a)
    if (!is_fixed(t, a)) out += (out.empty() ? "" : ", ") + axis_words(t.spec.axes[a], row.key[a]);
  return out;
}

/// The quantity of a column. Columns with the same quantity may share an axis.
std::string kind_of(const Column& column) {
  if (column.unit != "1" && !column.unit.empty()) return column.unit;
  const Measure::Kind kind = column.measure.kind;
  if (kind == Measure::Kind::ratio || kind == Measure::Kind::speed) return "ratio";
  if (kind == Measure::Kind::counter) return "count";
  return "of its own: " + column.title;
}

/// The axis title: the title of the only column, or the common quantity of several columns.
std::string quantity_of(const std::vector<const Column*>& columns) {
  const Column& first = *columns.front();
  const std::string kind = kind_of(first);
  const bool speed = first.measure.kind == Measure::Kind::speed;  // the title of such a column is "× cuBLAS"
  if (columns.size() == 1)
    return speed ? "Speed relative to " + first.title.substr(first.title.find(' ') + 1) : first.title;
  if (kind == "s") return "Time";
  if (kind == "B/s") return "Rate";
  if (kind == "B") return "Memory";
  if (kind == "ratio") return speed ? "Relative speed" : "Ratio";
  return kind == "count" ? "Count" : kind;
}

/// Whether a peer always took the same time, although it was measured again with each version of the lab's
/// program.
bool is_same_beside_all(const Table& t, std::size_t column) {
  constexpr double same = 0.05;
  std::map<std::string, std::pair<double, double>> range;  // of the medians, by the value of the first axis
  for (const TableRow& row : t.rows) {
    if (column >= row.cells.size() || row.cells[column].samples.empty() || row.key.empty()) continue;
    const double median = row.cells[column].median();
    const auto [at, is_new] = range.try_emplace(row.key[0], median, median);
    at->second = {std::min(at->second.first, median), std::max(at->second.second, median)};
  }
  return std::all_of(range.begin(), range.end(),
                     [](const auto& r) { return r.second.second <= (1 + same) * r.second.first; });
}

std::size_t place_of(const Table& t, const Column& column) {
  const auto& all = t.spec.columns;
  return static_cast<std::size_t>(
      std::find_if(all.begin(), all.end(), [&](const Column& c) { return c.id == column.id; }) - all.begin());
}

std::vector<PlotLine> lines_of(const Table& t, const std::map<std::string, double>& position,
                               const std::vector<const Column*>& columns) {
  std::vector<PlotLine> lines;
  std::map<std::pair<std::string, double>, Measurement> together;  // the samples, by line and place
  for (const Column* column : columns) {
    const std::size_t c = place_of(t, *column);
    const bool one_line = column->measure.kind == Measure::Kind::peer && is_same_beside_all(t, c);
    for (const TableRow& row : t.rows) {
      if (c >= row.cells.size() || row.cells[c].samples.empty() || row.key.empty()) continue;
      const std::string further = one_line ? "" : further_axes(t, row);
      const std::string name = columns.size() == 1 ? quantity_of(columns) : column->title;
      const std::string title = further.empty()       ? name
                                : columns.size() == 1 ? further
                                                      : name + ", " + further;
      auto line = std::find_if(lines.begin(), lines.end(), [&](const auto& l) { return l.title == title; });
      if (line == lines.end()) line = lines.insert(lines.end(), PlotLine{title, {}, false});
      const double x = position.at(row.key[0]);
      Measurement& samples = together[{title, x}];
      samples.samples.insert(samples.samples.end(), row.cells[c].samples.begin(), row.cells[c].samples.end());
      auto point = std::find_if(line->points.begin(), line->points.end(),
                                [&](const PlotPoint& p) { return p.x == x; });
      if (point == line->points.end()) point = line->points.insert(point, PlotPoint{});
      const auto [least, greatest] = std::minmax_element(samples.samples.begin(), samples.samples.end());
      *point = {x, row.label.empty() ? row.key[0] : row.label, samples.median(), *least, *greatest};
    }
  }
  for (PlotLine& line : lines)
    std::stable_sort(line.points.begin(), line.points.end(),
                     [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });
  return lines;
}

/// The prefix with which a value has one to three digits before the point.
std::pair<double, std::string> prefix_for(double value, const std::string& unit) {
  if (unit == "B") {
    if (value >= 1 << 30) return {1 << 30, "GiB"};
    if (value >= 1 << 20) return {1 << 20, "MiB"};
    return value >= 1024 ? std::pair{1024.0, std::string("KiB")} : std::pair{1.0, unit};
  }
  if (unit.empty() || unit == "1") return {1, ""};
  if (unit == "%") return {0.01, unit};
  static constexpr std::pair<double, const char*> prefixes[] = {
      {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}};
  for (const auto& [factor, letter] : prefixes) {
    if (factor > 1 && unit == "s") continue;  // kiloseconds are unusual
    if (value >= factor) return {factor, letter + unit};
  }
  return {1, unit};
}

/// Marks at powers of ten or, if there would be too few, at 1, 2 and 5 times these. Each has its own unit: "500 µs".
std::vector<std::pair<double, std::string>> logarithmic_tics(double least, double greatest,
                                                             const std::string& unit) {
  const bool few = greatest / least < 1000;
  std::vector<std::pair<double, std::string>> tics;
  for (int power = static_cast<int>(std::floor(std::log10(least))); std::pow(10, power) <= greatest;
       ++power) {
    for (const int digit : {1, 2, 5}) {
      if (digit > 1 && !few) continue;
      const double at = digit * std::pow(10, power);
      if (at < least || at > greatest) continue;
      const auto [factor, name] = prefix_for(at * (1 + 1e-9), unit);
      tics.emplace_back(at, fmt::format("{:.4g}{}{}", at / factor, name.empty() ? "" : " ", name));
    }
  }
  return tics;
}

void set_axis(PlotPanel& panel) {
  double least = INFINITY, greatest = 0;
  for (const PlotLine& line : panel.lines) {
    for (const PlotPoint& point : line.points) {
      least = std::min(least, point.least);
      greatest = std::max(greatest, point.greatest);
    }
  }
  panel.logarithmic = least > 0 && greatest / least >= log_from;
  if (panel.logarithmic) {
    panel.least = least / 1.4;
    panel.greatest = greatest * 1.4;
    panel.tics = logarithmic_tics(panel.least, panel.greatest, panel.unit);
  } else {
    std::tie(panel.scale, panel.scaled_unit) = prefix_for(greatest, panel.unit);
    panel.greatest = greatest > 0 ? 1.1 * greatest / panel.scale : 1;
    panel.least = least < 0 ? 1.1 * least / panel.scale : 0;
  }
}

/// The position of a value on its axis, from 0 to 1.
double place(const PlotPanel& panel, double value) {
  const double v = value / panel.scale;
  return panel.logarithmic ? std::log(v / panel.least) / std::log(panel.greatest / panel.least)
                           : (v - panel.least) / (panel.greatest - panel.least);
}

bool covers(const PlotPanel& panel, const PlotLine& upper, const PlotLine& lower) {
  std::size_t near = 0;
  for (const PlotPoint& a : lower.points) {
    for (const PlotPoint& b : upper.points)
      if (a.x == b.x && std::abs(place(panel, a.median) - place(panel, b.median)) < covers_at) ++near;
  }
  return near > 0 && 2 * near >= lower.points.size();
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i)
    out += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return out;
}

std::string at_words(const Plot& plot, const PlotPoint& point) {
  return plot.x.numeric ? fmt::format("at {}", point.label) : fmt::format("with \"{}\"", point.label);
}

std::string point_text(const PlotPanel& panel, const PlotPoint& p) {
  return value_text(p.median, panel.unit, p.median == 0 ? 0 : (p.greatest - p.least) / p.median);
}

std::string line_words(const Plot& plot, const PlotPanel& panel, const PlotLine& line) {
  const auto words = [&](const PlotPoint& p) {
    return fmt::format("{} {}", point_text(panel, p), at_words(plot, p));
  };
  const auto smaller = [](const PlotPoint& a, const PlotPoint& b) { return a.median < b.median; };
  const std::vector<PlotPoint>& points = line.points;
  const auto [least, greatest] = std::minmax_element(points.begin(), points.end(), smaller);
  const std::string same = point_text(panel, *least);
  if (points.size() > 1 && same == point_text(panel, *greatest))
    return fmt::format("{}: {} everywhere.", line.title, same);
  std::string out = line.title + ": ";
  if (!plot.x.numeric || points.size() == 1) {
    std::vector<std::string> all;
    for (const PlotPoint& point : points) all.push_back(words(point));
    return out + joined(all) + ".";
  }
  const bool rises = std::is_sorted(points.begin(), points.end(), smaller);
  const bool falls = std::is_sorted(points.rbegin(), points.rend(), smaller);
  out += fmt::format("{}{} {}", words(points.front()),
                     rises   ? ", rising to"
                     : falls ? ", falling to"
                             : ", then",
                     words(points.back()));
  const auto inside = [&](auto p) {
    return p->median != points.front().median && p->median != points.back().median;
  };
  if (inside(least)) out += "; the smallest is " + words(*least);
  if (inside(greatest)) out += "; the largest is " + words(*greatest);
  return out + ".";
}

/// A title for the middle of a sentence: "GPU time" is unchanged, "Occupancy" becomes "occupancy".
std::string in_sentence(std::string title) {
  if (title.size() > 1 && title[0] >= 'A' && title[0] <= 'Z' && title[1] >= 'a' && title[1] <= 'z')
    title[0] = static_cast<char>(title[0] - 'A' + 'a');
  return title;
}

std::string quantities(const Plot& plot) {
  std::vector<std::string> shown;
  for (const PlotPanel& panel : plot.panels) shown.push_back(in_sentence(panel.quantity));
  return joined(shown);
}

/// @param first the first axis that the panels may omit
std::string subtitle_of(const Table& t, const Plot& plot, std::size_t first) {
  std::vector<std::string> parts;
  if (t.spec.title.find(" by ") == std::string::npos) {
    const std::string shown = quantities(plot) + " by " + plot.x.name;
    parts.push_back(static_cast<char>(std::toupper(static_cast<unsigned char>(shown[0]))) + shown.substr(1));
  }
  for (std::size_t a = first; a < t.spec.axes.size() && !t.rows.empty(); ++a) {
    if (a < t.rows.front().key.size() && is_fixed(t, a)) {
      const std::string words = axis_words(t.spec.axes[a], t.rows.front().key[a]);
      parts.push_back(words.starts_with(t.spec.axes[a].name) ? words : t.spec.axes[a].name + " " + words);
    }
  }
  parts.push_back(t.backend == Backend::emu ? "EMULATION: not times of a GPU"
                  : t.device.empty()        ? "GPU"
                                            : t.device);
  bool spread = false;
  for (const TableRow& row : t.rows)
    for (const Measurement& cell : row.cells) spread = spread || cell.samples.size() > 1;
  if (spread) parts.push_back("medians, bars from smallest to largest");
  return fmt::format("{}", fmt::join(parts, "; "));
}

/// The largest number of lines of a panel. Each line has its own colour, marker and dashes.
constexpr std::size_t readable_lines = 8;

/// The different values of an axis that occur in the rows.
std::vector<std::string> values_of(const Table& t, std::size_t axis) {
  std::vector<std::string> values;
  for (const TableRow& row : t.rows)
    if (axis < row.key.size() && std::find(values.begin(), values.end(), row.key[axis]) == values.end())
      values.push_back(row.key[axis]);
  return values;
}

/// The index of the axis with this name. If there is none, the number of axes.
std::size_t axis_named(const Table& t, const std::string& name) {
  const auto& axes = t.spec.axes;
  const auto found = std::find_if(axes.begin(), axes.end(),
                                  [&](const Axis& axis) { return !name.empty() && axis.name == name; });
  return static_cast<std::size_t>(found - axes.begin());
}

/// The axis along the plot: the chosen axis, or else the first axis if it has at least two numbers, or else
/// the axis with the most numbers if there are at least three. If none of these exists and the first axis has
/// only one value, the first axis with several values.
std::size_t axis_along(const Table& t) {
  if (const std::size_t chosen = axis_named(t, t.spec.plot.x); chosen < t.spec.axes.size()) return chosen;
  const auto numbers = [&](std::size_t axis) -> std::size_t {
    const std::vector<std::string> values = values_of(t, axis);
    const bool all = std::none_of(values.begin(), values.end(),
                                  [](const std::string& value) { return std::isnan(number_of(value)); });
    return all ? values.size() : 0;
  };
  if (t.spec.axes.empty() || numbers(0) > 1) return 0;
  std::size_t best = 0, most = 2;
  for (std::size_t a = 1; a < t.spec.axes.size(); ++a)
    if (const std::size_t count = numbers(a); count > most) {
      best = a;
      most = count;
    }
  for (std::size_t a = 1; best == 0 && is_fixed(t, 0) && a < t.spec.axes.size(); ++a)
    if (!is_fixed(t, a)) best = a;
  return best;
}

/// The table with the axis along the plot as its first axis.
Table turned(Table t) {
  const std::size_t along = axis_along(t);
  if (along == 0) return t;
  std::swap(t.spec.axes[0], t.spec.axes[along]);
  for (TableRow& row : t.rows) {
    if (along >= row.key.size()) continue;
    std::swap(row.key[0], row.key[along]);
    row.label = t.spec.axes[0].label_of(row.key[0]);
  }
  return t;
}

/// The further axis that splits a panel with too many lines: the axis with the fewest values that makes the panels
/// readable; 0 if there is none.
std::size_t axis_to_split(const Table& t, std::size_t lines) {
  std::size_t best = 0, fewest = lines;
  for (std::size_t a = 1; a < t.spec.axes.size(); ++a) {
    const std::size_t count = values_of(t, a).size();
    if (count < 2 || count >= fewest || lines > readable_lines * count) continue;
    best = a;
    fewest = count;
  }
  return best;
}

/// The table with all columns of one kind turned into rows, one for each value of a new first axis. The part
/// of a column's title before the comma is its mark on this axis. The part after the comma names a line for
/// all rows. A title without a comma gives a line for each row.
Table by_columns(const Table& t) {
  Table out = t;
  out.spec.axes = {{"Column", Axis::Kind::argument, {}, {}, {}}, {"", Axis::Kind::argument, {}, {}, {}}};
  out.rows.clear();
  const Column& first = t.spec.columns.front();
  out.spec.columns = {{first.id, quantity_of({&first, &first}), first.measure, first.unit}};
  for (const TableRow& row : t.rows) {
    const std::string of_row = further_axes(t, row, 0);
    for (std::size_t c = 0; c < t.spec.columns.size() && c < row.cells.size(); ++c) {
      const Column& column = t.spec.columns[c];
      if (kind_of(column) != kind_of(first)) continue;
      const std::size_t comma = column.title.find(", ");
      const std::string mark = column.title.substr(0, comma);
      const std::string line = comma == std::string::npos ? of_row : column.title.substr(comma + 2);
      out.rows.push_back({{mark, line}, mark, {row.cells[c]}, ""});
    }
  }
  return out;
}

/// The table's rows with one value of an axis.
Table part_of(Table t, std::size_t axis, const std::string& value) {
  std::erase_if(t.rows,
                [&](const TableRow& row) { return axis >= row.key.size() || row.key[axis] != value; });
  return t;
}

void add_panel(Plot& plot, PlotPanel panel) {
  if (panel.lines.empty()) return;
  set_axis(panel);
  for (std::size_t i = 0; i < panel.lines.size(); ++i) {
    for (std::size_t j = i + 1; j < panel.lines.size() && plot.x.numeric; ++j)
      panel.lines[i].covered = panel.lines[i].covered || covers(panel, panel.lines[j], panel.lines[i]);
  }
  plot.panels.push_back(std::move(panel));
}

}  // namespace

Plot plot_of(const Table& table) {
  const bool of_columns = table.spec.plot.x == PlotSpec::by_columns;
  const Table t = of_columns ? by_columns(table) : turned(table);
  Plot plot;
  plot.title = fmt::format("{}: {}", t.lab, t.spec.title);
  std::map<std::string, double> position;
  plot.x = x_axis(t, position);
  std::vector<std::pair<std::string, std::vector<const Column*>>> kinds;  // in the order of the
                                                                          // columns
  const std::vector<std::string>& chosen = t.spec.plot.columns;
  for (const Column& column : t.spec.columns) {
    if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), column.id) == chosen.end()) {
      plot.left_out.push_back(column.title);
      continue;
    }
    const std::string kind = kind_of(column);
    auto at = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.first == kind; });
    if (at == kinds.end()) at = kinds.insert(kinds.end(), {kind, {}});
    at->second.push_back(&column);
  }
  for (auto& kind : kinds) {
    std::vector<const Column*>& columns = kind.second;
    std::size_t split = axis_named(t, t.spec.plot.panels);
    if (split == t.spec.axes.size()) split = 0;
    // Each value of an axis gets a panel, or all rows share a single panel.
    const auto panels = [&] {
      std::vector<std::vector<PlotLine>> out;
      for (const std::string& value : split == 0 ? std::vector<std::string>{""} : values_of(t, split))
        out.push_back(lines_of(split == 0 ? t : part_of(t, split, value), position, columns));
      return out;
    };
    const auto most_lines = [&] {
      std::size_t most = 0;
      for (const auto& lines : panels()) most = std::max(most, lines.size());
      return most;
    };
    // The table keeps all columns. A plot that is too full keeps only the first columns, which show its main
    // subject.
    while (most_lines() > readable_lines && columns.size() > 1) {
      plot.left_out.insert(plot.left_out.begin(), columns.back()->title);
      columns.pop_back();
    }
    if (split == 0 && most_lines() > readable_lines) split = axis_to_split(t, most_lines());
    std::vector<std::string> values = split == 0 ? std::vector<std::string>{""} : values_of(t, split);
    std::size_t n = 0;
    for (std::vector<PlotLine>& lines : panels()) {
      PlotPanel panel;
      panel.lines = std::move(lines);
      panel.unit = columns.front()->unit;
      panel.quantity = quantity_of(columns);
      if (split != 0) panel.quantity += ", " + axis_words(t.spec.axes[split], values[n++]);
      add_panel(plot, std::move(panel));
    }
  }
  if (plot.panels.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("Table {} of {} has no measured value to plot.", t.spec.id, t.lab),
                fmt::format("grader table {} --id {}", t.lab, t.spec.id));
  }
  plot.subtitle = of_columns ? subtitle_of(table, plot, 0) : subtitle_of(t, plot, 1);
  return plot;
}

std::string plot_description(const Plot& plot) {
  std::vector<std::string> values;
  for (const auto& [at, label] : plot.x.tics) values.push_back(label);
  std::string out =
      fmt::format("A plot of {} by {} ({}).", quantities(plot), plot.x.name, fmt::join(values, ", "));
  for (const PlotPanel& panel : plot.panels) {
    const bool named = panel.lines.size() > 1 || panel.lines[0].title != panel.quantity;
    if (named)
      out += fmt::format(" {}{}.", panel.quantity, panel.logarithmic ? ", on a logarithmic axis" : "");
    for (const PlotLine& line : panel.lines) out += " " + line_words(plot, panel, line);
  }
  if (!plot.left_out.empty()) out += fmt::format(" In the table alone: {}.", joined(plot.left_out));
  return out;
}

}  // namespace grader
