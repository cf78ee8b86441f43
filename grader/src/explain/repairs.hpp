/// @file
/// How much a change of one line gains: the model predicts the time of the same work without the line's
/// excess cost.
#pragma once
#include "explain/limits.hpp"

namespace grader {

struct Repair {
  int line = 0;              ///< index in KernelWork::lines; negative: the launch as a whole
  std::string change;        ///< "A layout without bank conflicts, such as a padded column,"
  double saved = 0, of = 0;  ///< units that one launch saves, and units before
  std::string unit;          ///< "turns of shared memory"
  double seconds = 0;        ///< time of a launch after the change
  double gain = 0;           ///< fraction of the launch's time that is saved
};

/// The repairs that save at least the fraction `least` of the time, sorted by descending gain.
std::vector<Repair> repairs_of(const KernelWork& work, const KnownGpu& gpu, double least = 0.03);

}  // namespace grader
