/// @file
/// The gain of a change to one line: the model predicts the same work without the line's excess.
#pragma once
#include "explain/limits.hpp"

namespace grader {

struct Repair {
  int line = 0;              ///< index in KernelWork::lines; negative: of the launch as a whole
  std::string change;        ///< "A layout without bank conflicts, such as a padded column,"
  double saved = 0, of = 0;  ///< of what it saves, how many: of a launch
  std::string unit;          ///< "turns of shared memory"
  double seconds = 0;        ///< of one launch then
  double gain = 0;           ///< share of the launch's time that it saves
};

/// Repairs that gain at least `least` of the time, the greatest first.
std::vector<Repair> repairs_of(const KernelWork& work, const KnownGpu& gpu, double least = 0.03);

}  // namespace grader
