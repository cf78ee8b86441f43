/// @file
/// Derives the verdict of a case from one run of a program. Its message says what happened, and its next step
/// says where to look. Grading, tables, `grader check` and `grader view` call judge().
#pragma once
#include <functional>

#include "run/run.hpp"

namespace lab {
struct JudgeRequest;
struct JudgeWants;
}  // namespace lab

namespace grader {

/// The facts that judge() needs besides the run.
struct JudgeContext {
  Backend backend = Backend::emu;
  /// Whether runs on this machine leave a profile. If so, a run whose profile contains no kernel did not use
  /// the GPU.
  bool profile_expected = true;
  const Machine* machine = nullptr;  ///< runs the lab's judge; null: the machine on which this process runs
  std::string options = {};  ///< " --level 2": follows the lab's name in commands of the judge's advice
  /// Supplies facts that the lab's judge wants, by further runs. Facts that it can't supply stay unset, and
  /// the run then counts as right. Returns a verdict if one of these runs decides the case. Empty: no facts
  /// are supplied.
  std::function<std::optional<CaseResult>(const lab::JudgeWants&, lab::JudgeRequest&)> supply = {};
};

/// The result of a run: the verdict of its case, and the state of its output.
struct Judgement {
  CaseResult result;
  /// Whether the output is right, whatever else the case requires. False for a run that ended early. No value
  /// if the case verifies no output.
  std::optional<bool> right;
  /// For each element, whether it is wrong. Empty unless the output is a wrong array whose elements were all
  /// compared.
  std::vector<bool> wrong = {};
};

/// Judges a run: how it ended, its output, and the case's other requirements. The program's exit code is no
/// proof of success. Sets `id`, `visibility`, verdict, message, next step, mismatch, excerpt and wall time;
/// score() sets points. Every command that calls a result right or wrong uses this function.
/// @throws Error (fault) when the expected result can't be read
Judgement judge(const Lab& lab, const Case& c, const RunResult& run, const CaseData& data,
                const JudgeContext& context);

/// Whether the program ran to its end, so that its result can be verified: exit code 0, 1 (the program's own
/// test found the result wrong) or 5 (the program misses another requirement).
bool ends_in_order(const RunResult& run);

/// Sets verdict, message and next step from result.mismatch.
void say_mismatch(CaseResult& result, const Lab& lab, const Case& c);

/// The extent of a mismatch without a cause: "24 of 25 elements are wrong.", or the sentence of the lab's
/// judge.
std::string words_of_extent(const Case& c, const Mismatch& mismatch);

/// A signal in words: "segmentation fault: the program read or wrote memory that is not its own".
std::string signal_words(int signal);

}  // namespace grader
