/// @file
/// What the checker found, as a part of the report: each mistake with its source lines, how often it was
/// seen, and a hint.
#pragma once
#include "base/terminal.hpp"
#include "model/grading.hpp"

namespace grader {

/// All findings of a grading, each once; empty when there are none.
std::string findings_text(const Grading& grading, const Style& style);

/// Blanks that are left and each finding's lines, one in a line as compilers print them, for editors:
/// "k.cu:97:5: error: race: two threads … (write by thread (0,0,0))". A finding's other lines are notes.
std::string places_text(const Grading& grading);

/// The verdict of a check in words: "2 mistakes found", "no mistake found", or that of Verdict.
std::string check_verdict(const Grading& grading);

/// "grader check lab2.1 --level 2": what checks the same sources as a grading.
std::string check_command(const Grading& grading);

/// The command that shows what the kernel did in a wrong case, or how its first wrong element came by its value. Empty where
/// that can't be seen: on a GPU, and in a case that has no checking size.
std::string view_command(const Lab& lab, const Grading& grading, const CaseResult& result);

/// Whether a grading failed in a way that the checker may explain.
bool checker_may_help(const Grading& grading);

}  // namespace grader
