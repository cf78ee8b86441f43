/// @file
/// From a submission to its verdict. `grade` and `check` are two lists of steps over one GradeContext; the lists
/// stand in grade.cpp, and the steps in steps.cpp and case_steps.cpp.
#pragma once
#include "build/build.hpp"
#include "grade/class_cases.hpp"
#include "grade/score.hpp"

namespace grader {

/// All that a grading works with.
struct GradeContext {
  const Kit& kit;
  const Toolchain& toolchain;
  const Submission& submission;
  Backend backend = Backend::emu;
  Progress progress = {};
  const Machine& machine = this_machine();
  ClassCases* of_class = nullptr;  ///< whose cases it has; null: those of lab.toml, with inputs of its own
  int attempt = 1;                 ///< of a class, by which its inputs are drawn
  bool strict = false;  ///< check() in emulation: writes of the same value by several threads are races, too
  /// Runs under the checker at the same time. More than one only where nothing else has a claim on the cores: a run that
  /// waits for one may run out of time.
  int looks_at_once = 1;
};

/// Grades a submission. A submission with blanks is built and its first case run all the same, which proves
/// that it does not crash. After two cases ran out of time the others are not run, and get that verdict.
/// What students may not see of hidden cases is not in the result, unless the solution was graded; of a folder (Origin::folder)
/// what they may see after the due date is.
/// @throws Error (environment, usage) when nothing can be said of the submission: no compiler, no room; (environment)
///         after Ctrl-C. A kit that is broken is no error: its cases get the verdict grader_fault.
Grading grade(const GradeContext& context);

/// The options that bring any other command to the sources of a grading: " --from FOLDER --level 2".
std::string source_options(const Grading& grading);

/// Runs a submission under the checker, or on a GPU under compute-sanitizer: the cases that the lab names for
/// it (checking_lab()), each judged by what was found. The grading has findings, and no points.
/// @throws Error as grade(); (environment) when there is no compute-sanitizer
Grading check(const GradeContext& context);

}  // namespace grader
