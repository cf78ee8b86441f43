/// @file
/// `grader hint` shows one more hint each time.
#pragma once
#include "workspace/submission.hpp"

namespace grader {

/// A hint to show. The state folder has the number of shown hints for each part and level, and each call adds
/// one.
struct HintGiven {
  int part;
  std::string part_title;
  int number;  ///< counts from 1
  int of;
  std::string text;
};
/// @param part the part; 0: the first part that is still to do or, if there is none, the first part of the level
/// @param note receives a sentence if the count could not be read and starts again
/// @return the hints shown so far for that part, with the new hint last. If there are no more hints, the list is
///         unchanged; if the part has none, it is empty
/// @throws Error (usage) for an unknown part; (environment) when the state can't be written
std::vector<HintGiven> next_hint(const Kit& kit, const Lab& lab, int level, int part,
                                 std::string* note = nullptr);

}  // namespace grader
