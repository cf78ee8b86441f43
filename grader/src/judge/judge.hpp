/// @file
/// Turns one run of a program into the verdict of its case, in words that say what happened and where to look.
/// Grading, tables, `grader check` and `grader view` share this code.
#pragma once
#include <functional>

#include "run/run.hpp"

namespace lab {
struct JudgeRequest;
struct JudgeWants;
}  // namespace lab

namespace grader {

/// The context of a judgement.
struct JudgeContext {
  Backend backend = Backend::emu;
  /// Runs on this machine leave a profile, so a run whose profile contains no kernel did not use the GPU.
  bool profile_expected = true;
  const Machine* machine = nullptr;  ///< runs the lab's judge; null: this machine
  std::string options = {};  ///< " --level 2": what a command of the judge's advice has after the lab's name
  /// Supplies facts that the lab's judge wants, by further runs. What it can't supply stays unset, and the run then
  /// counts as right. Returns a verdict if one of the runs decides the case. Empty: no facts are supplied.
  std::function<std::optional<CaseResult>(const lab::JudgeWants&, lab::JudgeRequest&)> supply = {};
};

/// The result of a run: the verdict of its case, and the state of its output.
struct Judgement {
  CaseResult result;
  /// Whether the output is right, regardless of the case's other requirements. False for a run that did not reach its
  /// end; no value if the case verifies no output.
  std::optional<bool> right;
  /// For each element, whether it is wrong. Set only for a wrong array whose elements were all compared; otherwise
  /// empty.
  std::vector<bool> wrong = {};
};

/// Judges a run: its end, then its output, then the case's requirements. The program's exit code is no proof of
/// success. Sets `id`, `visibility`, verdict, message, next step, mismatch, excerpt and wall time; score() sets
/// points. Every command that calls a result right or wrong uses this function.
/// @throws Error (fault) when the expected result can't be read
Judgement judge(const Lab& lab, const Case& c, const RunResult& run, const CaseData& data,
                const JudgeContext& context);

/// Whether the program reached its end, so that its result can be verified: exit code 0, 1 (its own test found the
/// result wrong) or 5 (the program misses another requirement).
bool ends_in_order(const RunResult& run);

/// Sets verdict, message and next step from result.mismatch.
void say_mismatch(CaseResult& result, const Lab& lab, const Case& c);

/// "24 of 25 elements are wrong.", or what the lab's judge said: the extent of a mismatch, without a cause.
std::string words_of_extent(const Case& c, const Mismatch& mismatch);

/// "segmentation fault: the program read or wrote memory that is not its own": a signal in words.
std::string signal_words(int signal);

}  // namespace grader
