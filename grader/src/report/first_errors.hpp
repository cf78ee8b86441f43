/// @file
/// The part of a compiler's output that shows where to begin.
#pragma once
#include <string>
#include <vector>

namespace grader {

/// The first errors of a compiler's output, each with its source lines and caret; warnings and notes are left out.
/// Without a recognised error, the beginning of the output.
/// @param most number of errors to keep
/// @param left_out set to the number of other errors
std::string first_errors(const std::string& diagnostics, int most, int& left_out);

/// The first warnings about the submission's own files, a line each, without warnings about unused names.
/// @param most number of warnings to keep
/// @param left_out set to the number of other such warnings
std::vector<std::string> first_warnings(const std::string& diagnostics, int most, int& left_out);

/// If the first error is in a header that is not the student's: the student's line that includes it, or that
/// instantiates a template with an unsuitable type. Empty: the error is in a file of the student, or the line is
/// unknown.
std::string cause_of_error_in_header(const std::string& diagnostics);

}  // namespace grader
