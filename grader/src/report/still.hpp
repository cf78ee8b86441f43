/// @file
/// Draws a lab's still image, which shows the work of a run, as an SVG that is readable on light and dark
/// backgrounds. It shows the threads' accesses, but no source lines.
#pragma once
#include "model/lab.hpp"
#include "model/trace.hpp"

namespace grader {

/// A frame of a film: points in a box.
struct StillFrame {
  std::vector<std::pair<double, double>> points;  ///< from 0 to 1, y upwards
  std::vector<unsigned> groups;                   ///< for each point, its group
  double radius = 0;                              ///< in the same units
  std::vector<std::vector<double>> obstacles;     ///< x, y, radius
  bool goal = false;                              ///< the first obstacle is the points' target
};

/// The data that a panel shows.
struct StillSource {
  const StillPanel& panel;
  Trace trace;       ///< of the case that the panel shows
  StillFrame frame;  ///< for a panel that draws a film
};

/// @param origin where the image comes from, which is written into the image
/// @param words the content, for readers who can't see it
/// @throws Error (usage) when a panel names an array or a launch that the run does not have
std::string still_svg(const Lab& lab, const std::vector<StillSource>& panels, const std::string& origin,
                      const std::string& words);

}  // namespace grader
