/// @file
/// The flow of one submission: build → run → verify → score, case by case.
/// The only module that knows these four.
#pragma once
#include "build/build.hpp"
#include "grade/score.hpp"
#include "run/gold.hpp"
#include "run/run.hpp"
#include "verify/verify.hpp"

namespace grader {

/// Grades a submission. A submission with blanks is built and its first case run all the same, which proves
/// that it does not crash. After two cases ran out of time the others are not run, and get that verdict.
/// What students may not see of hidden cases is not in the result, unless the
/// solution was graded.
/// @throws Error (environment, usage) when nothing can be said of the submission: no compiler, no room, damaged gold; (environment)
///         after Ctrl-C, see interrupted(). A broken oracle is no error: its cases get the verdict
///         grader_fault.
Grading grade(const Kit& kit, const Toolchain& toolchain, const Submission& submission, Backend backend,
              const Progress& progress);

/// Runs a submission under the checker, or on a GPU under compute-sanitizer: the cases that the lab names for
/// it (checking_lab()), each judged by what was found. The grading has findings, and no points.
/// @throws Error as grade(); (environment) when there is no compute-sanitizer
Grading check(const Kit& kit, const Toolchain& toolchain, const Submission& submission, Backend backend,
              const Progress& progress);

/// The time now as "2030-01-02T03:04:05Z".
std::string utc_now();

}  // namespace grader
