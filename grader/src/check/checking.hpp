/// @file
/// `grader check`: a case run under the checker (emucc --check) or under compute-sanitizer's tools, and what
/// they found as its verdict.
#pragma once
#include "check/findings.hpp"
#include "run/run.hpp"

namespace grader {

/// The lab with the cases that can be checked, at their checking sizes and without requirements. A lab that names none is
/// checked with all its visible cases of the emulation.
Lab checkable_lab(const Lab& lab);

/// The same without repetitions: of several cases with the same program and arguments one.
Lab checking_lab(const Lab& lab);

/// Whether two cases at their checking sizes are the same run of the same program.
bool checked_alike(const Case& a, const Case& b);

/// A case at its checking size. Its expected output is then the oracle's, not the gold's.
Case at_checking_size(const Case& c);

/// A run and what was found in it; no findings where the tool left no report.
struct CheckedRun {
  RunResult run;
  std::optional<std::vector<Finding>> findings;
};

/// Runs a program that was built with `checked`, in emulation.
/// @param strict writes of the same value by several threads are findings, too
CheckedRun run_checked(const Toolchain& toolchain, const Submission& submission, const Case& c,
                       const fs::path& program, const CaseData& data, const fs::path& work_folder,
                       const Machine& machine = this_machine(), bool strict = false);

/// The same with other settings of the checker, as CUEMU_CHECK has them (docs/checker.md).
CheckedRun run_checked_as(const std::string& settings, const Toolchain& toolchain,
                          const Submission& submission, const Case& c, const fs::path& program,
                          const CaseData& data, const fs::path& work_folder, const Machine& machine);

/// Runs a program under each of compute-sanitizer's tools, on a GPU. The run is that of the first.
/// @throws Error (environment) when there is no compute-sanitizer, or when it does not work here
CheckedRun run_sanitizers(const Toolchain& toolchain, const Submission& submission, const Case& c,
                          const fs::path& program, const CaseData& data, const fs::path& work_folder,
                          const Machine& machine = this_machine());

/// What was found becomes the verdict of a judged case. A part that is still to do goes before it.
void judge_findings(CaseResult& result, const CheckedRun& checked);

/// What compute-sanitizer does not see, in one sentence.
/// @param check the command that checks the same sources
std::string blind_spots(const std::string& check);

}  // namespace grader
