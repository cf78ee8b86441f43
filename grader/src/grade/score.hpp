/// @file
/// The sixth step: computes the points of parts from the verdicts of cases, and chooses the verdict of the
/// submission.
///
/// A part's points are divided among the cases that prove it, by the cases' weights. Only judged cases count,
/// for the points and for the maximum: a case that this backend or device can't run neither gives nor costs
/// points. A part that is given at a level does not count there. If no case could judge a part on this
/// machine, max_points does not include the part, and a note says so.
///
/// A fault of the kit is not a grade. After a fault in any case, it is unknown what a sound kit would give,
/// so the grading has no points at all (is_graded()). Findings in the other cases are still shown.
///
/// The verdict of a submission is the one that the student should see first, because its cause may hide all
/// others:
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

/// Computes the parts, points, max_points and verdict of a grading from its cases, its todos and the cases'
/// weights. Adds notes on parts that could not be judged, and on LAB_TODO() calls that are left in parts that
/// pass.
///
/// A check (Grading::check) gets only a verdict, and no points.
///
/// If there are no cases, and the verdict is already compile_error, all cases count as lost.
void score(const Lab& lab, Grading& grading);

/// How many points of a part one case gives.
struct CaseShare {
  int part = 0;
  const CaseResult* result = nullptr;
  double points = 0, max_points = 0;
};

/// For each part, the shares of the judged cases that prove it. The shares add up to the points and the max_points of
/// the part. If a deciding case failed, it has the whole share.
std::vector<CaseShare> case_shares(const Lab& lab, const Grading& grading);

/// The case to report first. Of the visible cases with the grading's verdict (of all cases, if the solution
/// is graded), it is the first with a cause from the checker, or else the first with the most informative
/// pattern. If there is no such case, it is the first that failed. Null if none failed.
const CaseResult* leading_case(const Grading& grading);

/// Whether the reader may see more of a case than its verdict.
bool shows_details(const Grading& grading, const CaseResult& result);

/// The one of two verdicts that the student should see first.
Verdict more_telling(Verdict a, Verdict b);

/// The exit code of the grader: 0 if all points were gained, 1 if there is a failure, 3 if no case could run here, 4
/// if only the kit is at fault.
int exit_code(const Grading& grading);

}  // namespace grader
