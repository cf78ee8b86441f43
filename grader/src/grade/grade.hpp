/// @file
/// Turns a submission into its verdict. `grade` and `check` are two lists of steps over one GradeContext; grade.cpp
/// has the lists, steps.cpp and case_steps.cpp have the steps.
#pragma once
#include "build/build.hpp"
#include "grade/class_cases.hpp"
#include "grade/score.hpp"

namespace grader {

/// The inputs of a grading.
struct GradeContext {
  const Kit& kit;
  const Toolchain& toolchain;
  const Submission& submission;
  Backend backend = Backend::emu;
  Progress progress = {};
  const Machine& machine = this_machine();
  ClassCases* of_class = nullptr;  ///< null: the cases of lab.toml, with their own inputs
  int attempt = 1;                 ///< number of the attempt in a class, by which its inputs are drawn
  bool strict = false;  ///< check() in emulation: same-value writes by several threads are races, too
  /// The number of parallel runs under the checker. It is greater than one only if no other work needs the cores: a
  /// run that waits for a core may time out.
  int looks_at_once = 1;
  /// Called with the current state of each case: after its run, and again after the checker's look. As in a grading,
  /// the case has no details that students may not see.
  std::function<void(const CaseResult&)> settled = {};
};

/// Grades a submission. A submission with blanks is still built, and its first case run, which proves that it does
/// not crash. After two time-outs the other cases are not run, and also get the verdict time_out. Details that
/// students may not see of hidden cases are left out, unless the solution was graded; for a folder (Origin::folder),
/// details that students may see after the due date are kept.
/// @throws Error (environment, usage) when nothing can be graded: no compiler, no disk space; (environment) after
///         Ctrl-C. A broken kit does not throw: its cases get the verdict grader_fault.
Grading grade(const GradeContext& context);

/// The options that make another command use the sources of a grading: " --from FOLDER --level 2".
std::string source_options(const Grading& grading);

/// Runs a submission under the checker, or on a GPU under compute-sanitizer: the lab's cases for checking
/// (checking_lab()), each judged by its findings. The grading has findings, and no points.
/// @throws Error under the same conditions as grade(); (environment) when compute-sanitizer is missing
Grading check(const GradeContext& context);

}  // namespace grader
