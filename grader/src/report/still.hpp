/// @file
/// A lab's still: what a run did, drawn as SVG that reads on light and on dark ground. It shows which threads touch what, and no
/// line of any source.
#pragma once
#include "model/lab.hpp"
#include "model/trace.hpp"

namespace grader {

/// A frame of a film: points in a box.
struct StillFrame {
  std::vector<std::pair<double, double>> points;  ///< from 0 to 1, y upwards
  std::vector<unsigned> groups;                   ///< of each point
  double radius = 0;                              ///< in the same units
  std::vector<std::vector<double>> obstacles;     ///< x, y, radius
  bool goal = false;                              ///< the first obstacle is what the points look for
};

/// What a panel is drawn from.
struct StillSource {
  const StillPanel& panel;
  Trace trace;       ///< of the panel's case
  StillFrame frame;  ///< of a panel that draws a film
};

/// @param origin says what it was made from, for stills that are kept
/// @param words what is seen, for those who don't see it
/// @throws Error (usage) where a panel asks for what the run does not have: an array, a launch
std::string still_svg(const Lab& lab, const std::vector<StillSource>& panels, const std::string& origin,
                      const std::string& words);

}  // namespace grader
