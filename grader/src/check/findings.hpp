/// @file
/// The checker's findings in a student's program: read from its report, mapped to the student's own files, and merged
/// over several cases.
#pragma once
#include "workspace/submission.hpp"

namespace grader {

/// Reads the report of a checked program, and maps it to the program's files.
/// @return none without a readable report: the program did not reach its end
std::optional<std::vector<Finding>> read_findings(const std::optional<std::string>& report,
                                                  const std::vector<SubmissionFile>& files);

/// Names files as in `files`, and gives each party the text of its line.
void fit_to_sources(std::vector<Finding>& findings, const std::vector<SubmissionFile>& files);

/// Whether two findings are equal: the same rule, array and lines.
bool same_finding(const Finding& a, const Finding& b);

/// Whether some are errors, not warnings.
bool any_error(const std::vector<Finding>& findings);

/// A finding, and the cases that showed it.
struct SeenFinding {
  Finding finding;
  std::vector<std::string> cases;
};

/// All findings of a grading, without duplicates, errors first, otherwise in order of occurrence.
std::vector<SeenFinding> findings_of(const Grading& grading);

}  // namespace grader
