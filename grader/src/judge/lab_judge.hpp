/// @file
/// Calls a lab's judge, a function of its oracle (lab/judge.hpp), for a run.
///
/// The judge belongs to the kit. If it crashes, prints no answer, does not end or contradicts itself, the kit
/// is at fault, and no student loses points.
#pragma once
#include "judge/judge.hpp"
#include "lab/judge.hpp"

namespace grader {

/// The facts on a run that reached its end.
lab::JudgeRequest facts_for_judge(const Lab& lab, const Case& c, const RunResult& run, const CaseData& data,
                                  const JudgeContext& context);

/// Calls the judge once, in the sandbox and with limits.
/// @throws Error (fault) when the judge gives no answer that could be true; (environment) after Ctrl-C
lab::Judgement ask_lab_judge(const Lab& lab, const Case& c, const CaseData& data,
                             const lab::JudgeRequest& facts, const JudgeContext& context);

/// Judges the output of a case with `verify = "judge"`, or, if the case requires the judge, everything else.
/// Supplies the facts that the judge wants; if nothing supplies them, the run counts as right. Sets verdict,
/// message, next step and mismatch.
/// @throws Error (fault) as ask_lab_judge() does, and when the judge calls the oracle's own output wrong
void judge_by_lab(CaseResult& result, const Lab& lab, const Case& c, const RunResult& run,
                  const CaseData& data, const JudgeContext& context);

}  // namespace grader
