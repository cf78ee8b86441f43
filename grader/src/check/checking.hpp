/// @file
/// Runs a case under the checker (emucc --check) or under compute-sanitizer's tools, and derives the verdict
/// from the findings, for `grader check`.
#pragma once
#include "check/findings.hpp"
#include "run/run.hpp"

namespace grader {

/// The lab with its checkable cases, at their checking sizes and without requirements. If the lab names no such case,
/// all visible cases of the emulation are checkable.
Lab checkable_lab(const Lab& lab);

/// checkable_lab() without duplicates: of the cases with the same program and arguments, only one remains.
Lab checking_lab(const Lab& lab);

/// Whether two cases at their checking sizes are the same run of the same program.
bool checked_alike(const Case& a, const Case& b);

/// A case at its checking size. Its expected output comes from the oracle, not from the gold file.
Case at_checking_size(const Case& c);

/// A run and its findings, which have no value if the tool left no report.
struct CheckedRun {
  RunResult run;
  std::optional<std::vector<Finding>> findings;
};

/// Runs a program that was built with Instrument::check, in emulation.
/// @param strict whether writes of the same value by several threads are findings, too
CheckedRun run_checked(const Toolchain& toolchain, const Submission& submission, const Case& c,
                       const fs::path& program, const CaseData& data, const fs::path& work_folder,
                       const Machine& machine = this_machine(), bool strict = false);

/// Does the same with other settings of the checker, in the form of CUEMU_CHECK (docs/checker.md).
CheckedRun run_checked_as(const std::string& settings, const Toolchain& toolchain,
                          const Submission& submission, const Case& c, const fs::path& program,
                          const CaseData& data, const fs::path& work_folder, const Machine& machine);

/// Runs a program under each of compute-sanitizer's tools, on a GPU. Returns the first tool's run.
/// @throws Error (environment) when compute-sanitizer is missing or does not work here
CheckedRun run_sanitizers(const Toolchain& toolchain, const Submission& submission, const Case& c,
                          const fs::path& program, const CaseData& data, const fs::path& work_folder,
                          const Machine& machine = this_machine());

/// Sets verdict, message and next step from the findings, at least one of which is an error.
void say_findings(CaseResult& result);

/// Sets message and next step of a failed case from result.cause, the finding that explains it.
/// @param failed a sentence about the failure
void say_cause(CaseResult& result, const std::string& failed);

/// Changes the message about a run under the checker to that for a case whose own output is right.
/// @param otherwise the next step if that run names none
void say_right_before_check(CaseResult& result, const Case& c, const std::string& otherwise);

/// Derives the verdict of a judged case from the findings. A blank in one of its parts takes precedence.
void judge_findings(CaseResult& result, const CheckedRun& checked);

/// A sentence about what compute-sanitizer does not find.
/// @param check the command that checks the same sources
std::string blind_spots(const std::string& check);

}  // namespace grader
