// Draws a table as a plot with gnuplot. Each kind of value has a panel, and lines have their names at their right
// ends. Lines differ in colour, marker and dashes, for print and for colour-blind readers.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <numeric>

#include "base/columns.hpp"
#include "base/error.hpp"
#include "base/markup.hpp"
#include "base/scratch.hpp"
#include "process/process.hpp"
#include "report/plot.hpp"
#include "report/table.hpp"

namespace grader {
namespace {

// Sizes in pixels.
constexpr int plot_width = 800, panel_height = 250, panel_gap = 48, title_line = 19, character = 7;
constexpr int left_margin = 92, bottom_margin = 62;

struct LineStyle {
  const char* colour;
  int marker;
  const char* dashes;
};

/// Colours that colour-blind people distinguish (Okabe and Ito), each with a marker and dashes.
constexpr std::array<LineStyle, 8> styles = {{{"#0072b2", 7, "solid"},
                                              {"#d55e00", 5, "(12,6)"},
                                              {"#009e73", 9, "(3,5)"},
                                              {"#cc79a7", 13, "(12,5,3,5)"},
                                              {"#56b4e9", 11, "(20,6)"},
                                              {"#e69f00", 6, "(6,4)"},
                                              {"#000000", 4, "(12,4,3,4,3,4)"},
                                              {"#7f7f7f", 8, "(2,3)"}}};

/// A gnuplot string in single quotes, in which gnuplot expands no text.
std::string plot_string(const std::string& text) {
  std::string out = "'";
  for (const char c : printable(text)) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

std::string number(double value) {
  return fmt::format("{:.6g}", value);
}

/// Whether labels at equal distances fit without touching each other.
bool labels_fit(const PlotAxis& x, int characters) {
  int longest = 0;
  for (const auto& [at, label] : x.tics) longest = std::max(longest, display_width(label) + 1);
  return longest * static_cast<int>(x.tics.size()) <= characters;
}

/// Removes labels of numbers that are not at equal distances, if a label would touch the previous label. Its
/// mark stays.
void thin_labels(PlotAxis& x, int characters) {
  if (!x.numeric || x.tics.size() < 2) return;
  const auto scale = [&](double at) { return x.logarithmic ? std::log(at) : at; };
  const double first = scale(x.tics.front().first), span = scale(x.tics.back().first) - first;
  double free_from = -INFINITY;
  for (auto& [at, label] : x.tics) {
    const double middle = characters * (scale(at) - first) / span;
    const double half = 0.5 * display_width(label) + 0.5;
    if (middle - half < free_from) {
      label.clear();
    } else {
      free_from = middle + half;
    }
  }
}

double height_of(const PlotPanel& panel, double scaled) {
  return panel.logarithmic ? std::log(scaled / panel.least) / std::log(panel.greatest / panel.least)
                           : (scaled - panel.least) / (panel.greatest - panel.least);
}

/// The heights of the lines' names, from 0 to 1. Each name is near the last point of its line, and no two
/// names overlap.
std::vector<double> name_places(const PlotPanel& panel) {
  constexpr double distance = 18.0 / panel_height;
  std::vector<std::size_t> order(panel.lines.size());
  std::iota(order.begin(), order.end(), 0u);
  std::vector<double> at;
  for (const PlotLine& line : panel.lines)
    at.push_back(height_of(panel, line.points.back().median / panel.scale));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return at[a] < at[b]; });
  double lowest = 0;
  for (const std::size_t i : order) {
    at[i] = std::max(at[i], lowest);
    lowest = at[i] + distance;
  }
  double highest = 1;  // names that were pushed over the edge are moved back
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    at[*i] = std::min(at[*i], highest);
    highest = at[*i] - distance;
  }
  return at;
}

/// The pixels beside a panel for the names of its lines; 0 if a single line needs no name.
int names_width(const Plot& plot) {
  int longest = 0;
  for (const PlotPanel& panel : plot.panels) {
    if (panel.lines.size() == 1 && panel.lines[0].title == panel.quantity) continue;
    for (const PlotLine& line : panel.lines) longest = std::max(longest, display_width(line.title));
  }
  return longest == 0 ? 24 : 48 + longest * character;
}

std::string data(const Plot& plot, const PlotPanel& panel, std::size_t number_of_panel) {
  std::string out;
  for (std::size_t i = 0; i < panel.lines.size(); ++i) {
    out += fmt::format("$line_{}_{} << END_OF_DATA\n", number_of_panel, i);
    // The points of categories are drawn side by side, because no line connects the points of a series.
    const double beside =
        plot.x.numeric ? 0
                       : 0.08 * (static_cast<double>(i) - 0.5 * static_cast<double>(panel.lines.size() - 1));
    for (const PlotPoint& p : panel.lines[i].points)
      out += fmt::format("{} {} {} {}\n", number(p.x + beside), number(p.median / panel.scale),
                         number(p.least / panel.scale), number(p.greatest / panel.scale));
    out += "END_OF_DATA\n";
  }
  return out;
}

std::string panel_script(const Plot& plot, std::size_t n) {
  const PlotPanel& panel = plot.panels[n];
  std::string out = data(plot, panel, n);
  const std::string unit = panel.scaled_unit.empty() ? "" : fmt::format(" ({})", panel.scaled_unit);
  out += fmt::format("set ylabel {} offset 1,0\n", plot_string(panel.quantity + unit));
  out += panel.logarithmic ? "set logscale y\n" : "unset logscale y\n";
  out += fmt::format("set yrange [{}:{}]\n", number(panel.least), number(panel.greatest));
  out += panel.logarithmic ? "set ytics (" : "set ytics autofreq format '%g'\n";
  for (std::size_t i = 0; panel.logarithmic && i < panel.tics.size(); ++i)
    out += fmt::format("{}{} {}", i > 0 ? ", " : "", plot_string(panel.tics[i].second),
                       number(panel.tics[i].first));
  if (panel.logarithmic) out += ")\n";
  if (n + 1 == plot.panels.size()) out += fmt::format("set xlabel {}\n", plot_string(plot.x.name));
  const bool named = panel.lines.size() > 1 || panel.lines[0].title != panel.quantity;
  const std::vector<double> names = name_places(panel);
  std::string curves;
  for (std::size_t i = 0; i < panel.lines.size(); ++i) {
    const PlotLine& line = panel.lines[i];
    const LineStyle& style = styles[i % styles.size()];
    // A line that another line covers is drawn broad and pale, with a large open marker, so that it is visible on
    // both sides.
    const std::string look =
        line.covered
            ? fmt::format("linecolor rgb '#70{}' dashtype solid linewidth 7 pointtype {} pointsize 1.5",
                          style.colour + 1, style.marker)
            : fmt::format("linecolor rgb '{}' dashtype {} linewidth 2 pointtype {} pointsize 0.8",
                          style.colour, style.dashes, style.marker);
    if (named)
      out += fmt::format(
          "set label {} at graph 1.03, graph {} left point pointtype {} pointsize 0.8 linecolor rgb '{}' "
          "offset 1.2,-0.25 textcolor rgb '{}'\n",
          plot_string(line.title), number(names[i]), style.marker, style.colour, style.colour);
    curves += fmt::format("{}$line_{}_{} using 1:2:3:4 with {} {} notitle", i > 0 ? ", \\\n     " : "", n, i,
                          plot.x.numeric ? "yerrorlines" : "yerrorbars", look);
  }
  return out + "plot " + curves + "\nunset label\n";
}

/// The drawing without gnuplot's empty groups, and with each element on a separate line.
std::string without_empty_groups(const std::string& svg) {
  std::string out;
  std::vector<std::string> lines = split_lines(svg);
  for (const std::string& line : lines) {
    if (trimmed(line).empty()) continue;
    const std::size_t group = out.rfind('\n', out.size() - 2) + 1;
    if (line == "</g>" && !out.empty() && out.compare(group, 3, "<g ") == 0 && out.ends_with(">\n") &&
        out.find("</", group) == std::string::npos) {
      out.resize(group);
      continue;
    }
    out += line + "\n";
  }
  return out;
}

/// Adds SVG's title and description, for readers who can't see the plot. gnuplot writes only its own name there.
std::string described(std::string svg, const Plot& plot) {
  const auto replace = [&](const std::string& name, const std::string& text) {
    const std::size_t begin = svg.find("<" + name + ">"), end = svg.find("</" + name + ">");
    const std::string whole = fmt::format("<{0}>{1}", name, element_text(text));
    if (begin != std::string::npos && end != std::string::npos) svg.replace(begin, end - begin, whole);
  };
  replace("title", plot.title);
  replace("desc", plot_description(plot));
  if (const std::size_t at = svg.find("<svg "); at != std::string::npos) svg.insert(at + 5, "role=\"img\" ");
  return svg;
}

}  // namespace

std::string table_plot_script(const Table& t) {
  Plot plot = plot_of(t);
  const int right_margin = std::min(names_width(plot), plot_width / 2);
  const int characters = (plot_width - left_margin - right_margin) / character;
  const bool turned = !labels_fit(plot.x, characters);
  if (!turned) thin_labels(plot.x, characters);
  const std::vector<std::string> subtitle =
      split_lines(wrap(plot.subtitle, plot_width / (character - 1) - 8));
  const int top_margin = 40 + title_line * static_cast<int>(subtitle.size());
  const int panels = static_cast<int>(plot.panels.size());
  int longest = 0;
  for (const auto& [at, label] : plot.x.tics) longest = std::max(longest, display_width(label));
  const int turned_space = turned ? longest * character / 4 : 0;  // sin 15° is a quarter
  const int bottom = bottom_margin + turned_space, gap = panel_gap + turned_space;
  const int height = top_margin + panels * panel_height + (panels - 1) * gap + bottom;
  const auto of_height = [&](double pixels) { return number(pixels / height); };
  std::string out = fmt::format(
      "set encoding utf8\n"
      "set terminal svg noenhanced size {},{} font 'sans-serif,13' background '#ffffff'\n"
      "set grid linecolor rgb '#dddddd'\nset border 3\nset tics nomirror\nunset key\n",
      plot_width, height);
  if (!plot.x.tics.empty()) {
    // The plot has a margin, so that the first and the last point are not on the frame.
    const double first = plot.x.tics.front().first, last = plot.x.tics.back().first;
    const double margin = std::max(0.05 * (last - first), 0.5);
    out += plot.x.logarithmic
               ? fmt::format("set logscale x\nset xrange [{}:{}]\n", number(first / 1.3), number(last * 1.3))
               : fmt::format("set xrange [{}:{}]\n", number(first - margin), number(last + margin));
  }
  out += turned ? "set xtics rotate by -15 (" : "set xtics norotate (";
  for (std::size_t i = 0; i < plot.x.tics.size(); ++i)
    out +=
        fmt::format("{}{} {}", i > 0 ? ", " : "", plot_string(plot.x.tics[i].second), plot.x.tics[i].first);
  out += fmt::format(")\nset multiplot layout {},1 margins screen {},{},{},{} spacing screen 0,{}\n", panels,
                     number(static_cast<double>(left_margin) / plot_width),
                     number(1 - static_cast<double>(right_margin) / plot_width), of_height(bottom),
                     of_height(height - top_margin), of_height(gap));
  const std::string at_left = number(16.0 / plot_width);
  out += fmt::format("set label {} at screen {}, screen {} left font 'sans-serif,17'\n",
                     plot_string(plot.title), at_left, of_height(height - 20));
  for (std::size_t i = 0; i < subtitle.size(); ++i)
    out += fmt::format(
        "set label {} at screen {}, screen {} left font 'sans-serif,12' textcolor rgb '#555555'\n",
        plot_string(subtitle[i]), at_left, of_height(height - 42 - title_line * static_cast<int>(i)));
  for (std::size_t n = 0; n < plot.panels.size(); ++n) out += panel_script(plot, n);
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
  const ProcessResult result = run_own_process(request);
  if (result.end != ProcessResult::End::exited || result.code != 0 ||
      result.out.find("</svg>") == std::string::npos) {
    const auto said = split_lines(result.err.empty() ? result.error : result.err);
    throw Error(
        ErrorKind::environment,
        fmt::format("gnuplot could not draw the plot{}.", said.empty() ? "" : ": " + printable(said.back())),
        "gnuplot --version; use another --format meanwhile");
  }
  return described(without_empty_groups(result.out), plot_of(table));
}

}  // namespace grader
