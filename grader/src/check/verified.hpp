/// @file
/// Is the result of a run right? The one answer of grading, of `grader check` and of what `grader view` shows.
#pragma once
#include "run/run.hpp"
#include "verify/verify.hpp"

namespace grader {

/// The program went on to its end, so that its result can be looked at: exit code 0, 1 (its own test found the result
/// wrong) or 5 (the program misses another requirement).
bool ends_in_order(const RunResult& run);

/// Verifies what a run left as its case says. Its output, where that is a file, must be there.
/// @throws Error (fault) when the expected result can't be read
Verification verify_result(const Lab& lab, const Case& c, const RunResult& run, const CaseData& data);

}  // namespace grader
