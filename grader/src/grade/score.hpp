/// @file
/// The sixth step: verdicts of cases → points of parts → verdict of the submission.
///
/// A part's points are shared among the cases that prove it, by the cases' weights. Only judged cases count, on both
/// sides of the fraction: a case that this backend or device can't run neither gives nor costs points. A part that is
/// given at a level does not count there. A part that no case could judge here is not gradable here: its points are
/// not part of max_points, and a note says so.
///
/// A fault of the kit is no grade: after one in any case, the result with a sound kit is unknown, and the grading has
/// no points at all (is_graded()). Findings in the other cases are still shown.
///
/// The verdict of a submission is the one that its student should see first, the one that blocks all others:
///
///   compile_error       nothing could run
///   todo                any other failure may follow from the blank
///   finding             the checker knows a cause, which may explain all below; but a wrong answer or a crash that it
///                       explains leads, since its message says more
///   crash, then time_out, memory_limit, process_limit, output_limit
///                       the program did not reach its end; but after a smaller case with a wrong result a limit does
///                       not lead, nor a crash after a wrong answer whose cause is known
///   no_output           the program ended, and left nothing to compare
///   wrong_answer
///   requirement_failed  the answer is right
///   grader_fault        nothing else is wrong, and not all is known: grade again with a repaired kit
///   unsupported         only when no case could run here
///   passed
#pragma once
#include "model/grading.hpp"
#include "model/lab.hpp"

namespace grader {

/// Sets parts, points, max_points and verdict of a grading from its cases and todos, and the cases' weights; adds
/// notes on unjudged parts and on LAB_TODO() calls left in parts that pass.
///
/// A check (Grading::check) only gets a verdict: it gives no points.
///
/// With no cases at all, a verdict of compile_error that is already set means that all cases are lost.
void score(const Lab& lab, Grading& grading);

/// The points of a part that a case gives.
struct CaseShare {
  int part = 0;
  const CaseResult* result = nullptr;
  double points = 0, max_points = 0;
};

/// For each part the judged cases that prove it: together they have the points and the max_points of the part. Where a
/// deciding case failed, it has all of them.
std::vector<CaseShare> case_shares(const Lab& lab, const Grading& grading);

/// The case to report first: of the visible cases with the grading's verdict (of all, if the solution is graded), the
/// first with a cause from the checker, else the first with the most informative pattern; else the first that failed.
/// Null when none failed.
const CaseResult* leading_case(const Grading& grading);

/// Whether the reader may see details of a case besides its verdict.
bool shows_details(const Grading& grading, const CaseResult& result);

/// The one of two verdicts that the student should see first.
Verdict more_telling(Verdict a, Verdict b);

/// Exit code of the grader: 0 all points, 1 something is wrong, 3 nothing could run here, 4 only the kit is at fault.
int exit_code(const Grading& grading);

}  // namespace grader
