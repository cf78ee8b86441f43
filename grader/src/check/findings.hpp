/// @file
/// What the checker finds in a student's program: read from its report, named by the student's own files, and
/// put together over several cases.
#pragma once
#include "workspace/submission.hpp"

namespace grader {

/// Reads the report of a checked program, and fits it to its files.
/// @return none when there is no report that can be read: the program did not come to its end
std::optional<std::vector<Finding>> read_findings(const std::optional<std::string>& report,
                                                  const std::vector<SubmissionFile>& files);

/// Names files as these are named, and gives each party the text of its line.
void fit_to_sources(std::vector<Finding>& findings, const std::vector<SubmissionFile>& files);

/// Whether two findings are one: the same rule, array and lines.
bool same_finding(const Finding& a, const Finding& b);

/// Some of them are errors, not warnings.
bool any_error(const std::vector<Finding>& findings);

/// A finding, and the cases that showed it.
struct SeenFinding {
  Finding finding;
  std::vector<std::string> cases;
};

/// All findings of a grading: each once, errors first, in the order in which they were seen.
std::vector<SeenFinding> findings_of(const Grading& grading);

}  // namespace grader
