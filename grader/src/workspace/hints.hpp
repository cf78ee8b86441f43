/// @file
/// `grader hint`: one hint more each time.
#pragma once
#include "workspace/submission.hpp"

namespace grader {

/// The next hints: the state folder has the number of shown hints for each part and level, and each call adds one.
struct HintGiven {
  int part;
  std::string part_title;
  int number;  ///< counts from 1
  int of;
  std::string text;
};
/// @param part 0: the first part that is still to do, or the first of the level when none is
/// @param note  set to a sentence when the count was unreadable and starts again
/// @return the hints shown so far for that part, the new one last; the same list again when there are no more; empty
///         when the part has none
/// @throws Error (usage) for an unknown part; (environment) when the state can't be written
std::vector<HintGiven> next_hint(const Kit& kit, const Lab& lab, int level, int part,
                                 std::string* note = nullptr);

}  // namespace grader
