/// @file
/// `grader hint`: one hint more each time.
#pragma once
#include "workspace/submission.hpp"

namespace grader {

/// The next hints: how many of each part were shown at each level is kept in the state folder, and one more is
/// given each time.
struct HintGiven {
  int part;
  std::string part_title;
  int number;  ///< counts from 1
  int of;
  std::string text;
};
/// @param part 0: the first part that is still to do, or the first of the level when none is
/// @param note  set to a sentence when what was shown so far could not be read, and counting starts again
/// @return the hints given so far for that part, the new one last; the same list again when there are no
///         more; empty when the part has none
/// @throws Error (usage) for a part that the lab has not; (environment) when the state can't be written
std::vector<HintGiven> next_hint(const Kit& kit, const Lab& lab, int level, int part,
                                 std::string* note = nullptr);

}  // namespace grader
