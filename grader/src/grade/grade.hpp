/// @file
/// Turns a submission into its verdict. `grade` and `check` are two lists of steps that share a GradeContext.
/// grade.cpp has the lists, and steps.cpp and case_steps.cpp have the steps.
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
  ClassCases* of_class = nullptr;  ///< null: the cases of lab.toml, with the inputs of lab.toml
  int attempt = 1;                 ///< number of the attempt in a class, from which its inputs are drawn
  bool strict = false;  ///< check() in emulation: same-value writes by several threads are races, too
  /// The number of parallel runs under the checker. It is greater than one only if no other work needs the
  /// cores, since a run that waits for a core may time out.
  int looks_at_once = 1;
  /// Called with the current state of each case, after its run and again after its run under the checker. As
  /// in a grading, the case has no details that students may not see.
  std::function<void(const CaseResult&)> settled = {};
};

/// Grades a submission. A submission with blanks is still built, and its first case runs, to show that it
/// does not crash. After two time-outs, the other cases get the verdict time_out without a run. Details of
/// hidden cases that students may not see are left out, unless the solution is graded. For a folder
/// (Origin::folder), details that students may see after the due date are kept.
/// @throws Error (environment, usage) when nothing can be graded: no compiler, no disk space; (environment) after
///         Ctrl-C. A broken kit does not throw: its cases get the verdict grader_fault.
Grading grade(const GradeContext& context);

/// The options that make another command use the sources of a grading: " --from FOLDER --level 2".
std::string source_options(const Grading& grading);

/// Runs a submission under the checker, or on a GPU under compute-sanitizer. The cases are those of the lab
/// for checking (checking_lab()), and each is judged by its findings. The grading has findings, but no
/// points.
/// @throws Error under the same conditions as grade(); (environment) when compute-sanitizer is missing
Grading check(const GradeContext& context);

}  // namespace grader
