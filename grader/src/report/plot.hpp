/// @file
/// What a plot of a table shows, before anything draws it: its panels and lines, the places on its axes, and
/// the same in words.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "model/table.hpp"

namespace grader {

struct PlotPoint {
  double x = 0;
  std::string label;  ///< of x
  double median = 0, least = 0, greatest = 0;
};

struct PlotLine {
  std::string title;
  std::vector<PlotPoint> points;  ///< by x
  bool covered =
      false;  ///< a later line runs over it: it must be drawn so that it can be seen below that one
};

/// Values of one kind, which share an axis: registers are no ratio.
struct PlotPanel {
  std::string quantity;      ///< "GPU time", "Registers", "ratio"
  std::string unit;          ///< of the values: "s", "B/s", "B", "1"
  std::string scaled_unit;   ///< of the axis: "ms"; empty for plain numbers and where each mark has its own
  double scale = 1;          ///< values are divided by it
  bool logarithmic = false;  ///< then marks have units of their own
  double least = 0, greatest = 1;                    ///< of the axis, scaled
  std::vector<std::pair<double, std::string>> tics;  ///< of a logarithmic axis, scaled
  std::vector<PlotLine> lines;
};

struct PlotAxis {
  std::string name;
  std::vector<std::pair<double, std::string>> tics;
  bool numeric = false;  ///< in order and at their distances; else categories, which no line joins
  bool logarithmic = false;
};

struct Plot {
  std::string title;     ///< "lab2.1: Time by block size"
  std::string subtitle;  ///< what was held fixed, where it was measured, what the bars are
  PlotAxis x;
  std::vector<PlotPanel> panels;
  std::vector<std::string> left_out;  ///< columns that would have made a panel too full to be read
};

/// @throws Error (usage) when no cell of the table was measured
Plot plot_of(const Table& table);

/// What the plot shows, in a few sentences: for readers who can't see it.
std::string plot_description(const Plot& plot);

}  // namespace grader
