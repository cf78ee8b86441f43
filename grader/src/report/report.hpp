/// @file
/// The last step: a grading in words, for a terminal of 80 columns.
///
/// The first lines state the problem and the next step; the rest is the evidence. If the report is longer than a
/// screen, the last lines repeat the verdict and the next step.
#pragma once
#include <set>

#include "base/terminal.hpp"
#include "model/grading.hpp"
#include "model/lab.hpp"
#include "report/report_parts.hpp"

namespace grader {

/// Options of the report besides the grading.
struct ReportOptions {
  bool verbose = false;  ///< show every case's details, the whole compiler output, and the time of each step
  std::string next_lab;  ///< id of the lab after this one; empty: none
  bool times = false;    ///< show the times of each case, also after failures
  std::set<int> blank_parts =
      {};  ///< parts that the level leaves blank without requiring them (parts_left_blank())
};

/// The student's report: parts and cases with verdicts, the first wrong elements, the pattern, the next step, points.
/// Only the verdict of a hidden case is shown, regardless of the grading's content.
std::string report_text(const Lab& lab, const Grading& grading, const Style& style,
                        const ReportOptions& options = {});

/// The first lines of a report.
struct Headline {
  std::string verdict;  ///< in words: "wrong answer", "2 mistakes found"
  std::string points;   ///< "3 of 10 points", "not graded"; empty for a check
  std::string wrong;    ///< a sentence about the first failed case; empty if other text describes the problem
};
Headline headline_of(const Lab& lab, const Grading& grading);

/// A next step for the student, printed below the verdict.
struct Advice {
  std::string label;  ///< "To see why:"
  std::string text;   ///< a sentence or a command
};
/// The advice for the student; empty after a full pass.
std::vector<Advice> advice_of(const Lab& lab, const Grading& grading);

/// A part's points: "3 of 3", or "– of 3" while they are unknown; empty if the part can't be graded.
std::string part_points(const PartReport& part);

/// The state in words: "done", "to do in k.cu, line 7", "wrong: case n8", "right so far", "written, not yet
/// judged".
std::string part_state(const Grading& grading, const PartReport& part, const Style& style);

/// A case's verdict in words, or the backend that it needs.
std::string case_words(const Grading& grading, const CaseResult& one);

/// Points without needless digits: "6", "6.5", "3.33".
std::string points_text(double points);

}  // namespace grader
