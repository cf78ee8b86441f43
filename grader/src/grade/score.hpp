/// @file
/// The sixth step: verdicts of cases → points of parts → verdict of the submission.
///
/// A part's points are shared among the cases that prove it, by the cases' weights. Only what could be judged
/// counts, on both sides of the fraction: a case that this backend or device can't run neither gives nor costs
/// points. A part that is given at a level does not count there. A part that no case could judge here is not
/// gradable here: its points are not part of max_points, and a note says so.
///
/// A fault of the kit is no grade: where one case met it, nobody knows what a whole kit would have said, and the
/// grading has no points at all (is_graded()). What the other cases found is shown all the same.
///
/// The verdict of a submission is what its student should see first,
/// which is what stands in the way of all else:
///
///   compile_error       nothing could run
///   todo                whatever else goes wrong may follow from the blank
///   finding             the checker knows a cause, which may explain all that follows; but a wrong answer or a crash
///                       that it explained stands before it, since more can be said of that
///   crash, then time_out, memory_limit, process_limit, output_limit    the program did not reach its end; but where a
///                       smaller case did, and was wrong, a limit does not stand before that, nor a crash before a
///                       wrong answer whose cause is known
///   no_output           it did, and left nothing to compare
///   wrong_answer
///   requirement_failed  the answer is right
///   grader_fault        nothing else is wrong, and not all is known: grade again when the kit is mended
///   unsupported         only when no case could run here
///   passed
#pragma once
#include "model/grading.hpp"
#include "model/lab.hpp"

namespace grader {

/// Fills parts, points, max_points and verdict of a grading from its cases and todos, and the weights of the
/// cases themselves; adds notes on what could not be judged and on LAB_TODO() calls left in parts that pass.
///
/// A check (Grading::check) gets its verdict alone: it gives no points.
///
/// With no cases at all, a verdict of compile_error that is already set means that all of them are lost.
void score(const Lab& lab, Grading& grading);

/// The case to speak of first: of the visible ones with the grading's verdict (of all, where the solution is graded)
/// the first in which the checker found a cause, else the first whose pattern tells most; else the first that failed.
/// Null when none failed.
const CaseResult* leading_case(const Grading& grading);

/// Whether the reader may see more of a case than its verdict.
bool shows_details(const Grading& grading, const CaseResult& result);

/// Of two verdicts the one that the student should see first.
Verdict more_telling(Verdict a, Verdict b);

/// Exit code of the grader: 0 all points, 1 something is wrong, 3 nothing could run here, 4 nothing is wrong but the kit.
int exit_code(const Grading& grading);

}  // namespace grader
