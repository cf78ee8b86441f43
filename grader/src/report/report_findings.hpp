/// @file
/// The checker's findings in the report: each mistake with its source lines, its number of occurrences, and a hint.
#pragma once
#include "base/terminal.hpp"
#include "model/grading.hpp"

namespace grader {

/// All findings of a grading, without duplicates. Empty if there are none.
std::string findings_text(const Grading& grading, const Style& style);
/// One finding of a program that belongs to no lab.
std::string whole_finding_text(const Finding& finding, const Style& style);

/// The verdict of a check in words: "2 mistakes found", "no mistake found", or the words of its Verdict.
std::string check_verdict(const Grading& grading);

/// "grader check lab2.1 --level 2": the command that checks a grading's sources.
std::string check_command(const Grading& grading);

/// The command that shows the kernel's work in a wrong case, or how its first wrong element got its value. Empty on a
/// GPU, or for a case without a checking size.
std::string view_command(const Lab& lab, const Grading& grading, const CaseResult& result);

/// Whether a grading failed in a way that the checker may explain.
bool checker_may_help(const Grading& grading);

}  // namespace grader
