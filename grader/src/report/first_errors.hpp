/// @file
/// Finds the part of a compiler's output that shows where to begin.
#pragma once
#include <string>
#include <vector>

namespace grader {

/// The first errors in a compiler's output, each with its source lines and caret. Warnings and notes are left
/// out. If no error is recognised, returns the beginning of the output.
/// @param most the largest number of errors to keep
/// @param left_out receives the number of the other errors
std::string first_errors(const std::string& diagnostics, int most, int& left_out);

/// The first warnings about the submission's own files, one line for each. Warnings about unused names are left out.
/// @param most the largest number of warnings to keep
/// @param left_out receives the number of the other such warnings
std::vector<std::string> first_warnings(const std::string& diagnostics, int most, int& left_out);

/// Explains a first error that is in a header which is not the student's. Returns the student's line that
/// includes the header, or that instantiates a template with an unsuitable type. Empty if the error is in a
/// file of the student, or if the line is unknown.
std::string cause_of_error_in_header(const std::string& diagnostics);

}  // namespace grader
