/// @file
/// What a compiler said, for people who want to know where to begin.
#pragma once
#include <string>
#include <vector>

namespace grader {

/// The first errors of a compiler's output, each with the source lines and the caret that belong to it;
/// warnings and notes are left out. When no error is recognised, the beginning of the output.
/// @param most number of errors to keep
/// @param left_out set to the number of errors that were not kept
std::string first_errors(const std::string& diagnostics, int most, int& left_out);

/// The first warnings about the submission's own files, a line each, without those about what is not used.
/// @param most number of warnings to keep
/// @param left_out set to the number of such warnings that were not kept
std::vector<std::string> first_warnings(const std::string& diagnostics, int most, int& left_out);

/// Where to look if the first error stands in a header that is not the student's: at the line of theirs that includes it, or
/// that asks a template for what it can't do. Empty: the error stands in a file of theirs, or nobody knows.
std::string cause_of_error_in_header(const std::string& diagnostics);

}  // namespace grader
