/// @file
/// The last step: a grading in words, for a terminal of 80 columns.
///
/// The first lines say what is wrong and what to do now; the rest is the evidence. Where that fills more than a
/// screen, the last lines repeat the verdict and the next step.
#pragma once
#include <set>

#include "base/terminal.hpp"
#include "model/grading.hpp"
#include "model/lab.hpp"
#include "report/report_parts.hpp"

namespace grader {

/// What the report should say beyond the grading.
struct ReportOptions {
  bool verbose = false;  ///< every case's details, the whole compiler output, where the time went
  std::string next_lab;  ///< id of the lab that comes after this one; empty: none
  bool times = false;    ///< what each case took, also when not all is right
  std::set<int> blank_parts =
      {};  ///< that the level leaves blank without asking for them (parts_left_blank())
};

/// What the student reads: parts and cases with verdicts, the first wrong elements, the pattern, the next
/// step, points. Hidden cases say their verdict and nothing else, whatever the grading holds.
std::string report_text(const Lab& lab, const Grading& grading, const Style& style,
                        const ReportOptions& options = {});

/// A next step for the student, printed below the verdict.
struct Advice {
  std::string label;  ///< "To see why:"
  std::string text;   ///< a sentence or a command
};
/// Nothing where everything is passed.
std::vector<Advice> advice_of(const Lab& lab, const Grading& grading);

/// What a report says of a part: "3 of 3", "– of 3" while nothing is known, nothing where it can't be graded.
std::string part_points(const PartReport& part);

/// "done", "to do in k.cu, line 7", "wrong: case n8", "right so far", "written, not yet judged".
std::string part_state(const Grading& grading, const PartReport& part, const Style& style);

/// A case's verdict in words, or where it would run.
std::string case_words(const Grading& grading, const CaseResult& one);

/// "6", "6.5", "3.33": points without needless digits.
std::string points_text(double points);

}  // namespace grader
