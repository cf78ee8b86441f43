/// @file
/// Plans the content of a table's plot before it is drawn: its panels and lines, the positions on its axes, and a
/// description in words.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "model/table.hpp"

namespace grader {

struct PlotPoint {
  double x = 0;
  std::string label;  ///< the text for x
  double median = 0, least = 0, greatest = 0;
};

struct PlotLine {
  std::string title;
  std::vector<PlotPoint> points;  ///< sorted by x
  bool covered = false;  ///< whether a later line covers it: then it must be drawn broader than that line
};

/// Values of one kind, which share an axis. (Registers and ratios, for example, are of different kinds.)
struct PlotPanel {
  std::string quantity;  ///< "GPU time", "Registers", "ratio"
  std::string unit;      ///< unit of the values: "s", "B/s", "B", "1"
  std::string
      scaled_unit;   ///< unit of the axis: "ms"; empty for plain numbers, and if each mark has its own unit
  double scale = 1;  ///< values are divided by it
  bool logarithmic = false;                          ///< if so, each mark has its own unit
  double least = 0, greatest = 1;                    ///< the ends of the axis, scaled
  std::vector<std::pair<double, std::string>> tics;  ///< marks of a logarithmic axis, scaled
  std::vector<PlotLine> lines;
};

struct PlotAxis {
  std::string name;
  std::vector<std::pair<double, std::string>> tics;
  bool numeric = false;  ///< whether x is to scale; else it is a category, without connecting lines
  bool logarithmic = false;
};

struct Plot {
  std::string title;     ///< "lab2.1: Time by block size"
  std::string subtitle;  ///< fixed parameters, device, meaning of the bars
  PlotAxis x;
  std::vector<PlotPanel> panels;
  std::vector<std::string> left_out;  ///< columns that lab.toml leaves out, or a panel that would be too full
};

/// @throws Error (usage) when the table has no measured cells
Plot plot_of(const Table& table);

/// The plot's content in a few sentences, for readers who can't see it.
std::string plot_description(const Plot& plot);

}  // namespace grader
