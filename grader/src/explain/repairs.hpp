/// @file
/// The gain of a change to one line: the model predicts the same work again, without the excess cost of that
/// line.
#pragma once
#include "explain/limits.hpp"

namespace grader {

struct Repair {
  int line = 0;              ///< index in KernelWork::lines; negative: of the launch as a whole
  std::string change;        ///< "A layout without bank conflicts, such as a padded column,"
  double saved = 0, of = 0;  ///< units saved, and units before: of a launch
  std::string unit;          ///< "turns of shared memory"
  double seconds = 0;        ///< of a launch after the change
  double gain = 0;           ///< saved share of the launch's time
};

/// The repairs that save at least the fraction `least` of the time, sorted by descending gain.
std::vector<Repair> repairs_of(const KernelWork& work, const KnownGpu& gpu, double least = 0.03);

}  // namespace grader
