/// @file
/// Handles the checker's findings in a student's program: reads them from its report, maps them to the student's own
/// files, and merges them over several cases.
#pragma once
#include "workspace/submission.hpp"

namespace grader {

/// Reads the report of a checked program, and maps it to the program's files.
/// @return no value if there is no readable report because the program did not reach its end
std::optional<std::vector<Finding>> read_findings(const std::optional<std::string>& report,
                                                  const std::vector<SubmissionFile>& files);

/// Gives files the names that they have in `files`, and gives each party the text of its line.
void fit_to_sources(std::vector<Finding>& findings, const std::vector<SubmissionFile>& files);

/// Whether two findings are the same mistake: they have the same rule, array and lines.
bool same_finding(const Finding& a, const Finding& b);

/// Whether at least one finding is an error, not a warning.
bool any_error(const std::vector<Finding>& findings);

/// A finding, and the cases in which it occurred.
struct SeenFinding {
  Finding finding;
  std::vector<std::string> cases;
};

/// All findings of a grading without duplicates, the errors first, otherwise in the order in which they
/// occurred.
std::vector<SeenFinding> findings_of(const Grading& grading);

}  // namespace grader
