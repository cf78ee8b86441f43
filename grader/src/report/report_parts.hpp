/// @file
/// The state of each part of a grading: done, wrong, or not judged yet.
///
/// A case proves several parts, so one wrong line makes all these parts fail. A part is called wrong only if
/// another case passed, and a case failed for which no other part can be the reason.
#pragma once
#include <string>
#include <vector>

#include "model/grading.hpp"
#include "model/lab.hpp"

namespace grader {

enum class PartState {
  done,
  wrong,         ///< a case fails, and no other part can be the reason
  suspect,       ///< a case fails, but it proves other parts, too
  right_so_far,  ///< written; some of its cases passed, and the others could not be judged
  not_judged,    ///< written, and no case that proves it could be judged
  to_do,         ///< its LAB_TODO is still there
  not_gradable   ///< no case that proves it runs with this backend
};

struct PartReport {
  PartResult result;
  PartState state = PartState::not_judged;
  const Todo* todo = nullptr;          ///< its blank
  const CaseResult* failed = nullptr;  ///< the case in which it failed
};

/// The parts in the order of the handout and of lab.toml.
std::vector<PartReport> part_reports(const Lab& lab, const Grading& grading);

/// The blanks of a grading in the order of the handout.
std::vector<Todo> todo_in_order(const Lab& lab, const Grading& grading);

/// The part to help with: the first wrong part, else the first blank part, else the first suspect. 0 if all parts are
/// right or their states are unknown.
int part_to_help_with(const Lab& lab, const Grading& grading);

/// Whether a case ran and failed because of a mistake in the submission, not because of a blank.
bool failed_itself(Verdict verdict);

}  // namespace grader
