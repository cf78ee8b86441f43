/// @file
/// Verifies the result of a run; shared by grading, `grader check` and `grader view`.
#pragma once
#include "run/run.hpp"
#include "verify/verify.hpp"

namespace grader {

/// Whether the program reached its end, so that its result can be verified: exit code 0, 1 (its own test found the
/// result wrong) or 5 (the program misses another requirement).
bool ends_in_order(const RunResult& run);

/// Verifies a run's result by its case's method. If the output is a file, it must exist.
/// @throws Error (fault) when the expected result can't be read
Verification verify_result(const Lab& lab, const Case& c, const RunResult& run, const CaseData& data);

}  // namespace grader
