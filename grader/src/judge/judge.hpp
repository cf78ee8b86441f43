/// @file
/// One run of a program → the verdict of its case, in words: what happened, and where to look. Shared by grading,
/// tables, `grader check` and `grader view`.
#pragma once
#include "run/run.hpp"

namespace grader {

/// The context of a judgement.
struct JudgeContext {
  Backend backend = Backend::emu;
  /// Runs on this machine leave a profile, so a run without a kernel in it did not use the GPU.
  bool profile_expected = true;
};

/// The result of a run: the verdict of its case, and the state of its output.
struct Judgement {
  CaseResult result;
  /// Whether the output is right, whatever else the case requires; false for a run that did not reach its end, none
  /// where the case verifies no output.
  std::optional<bool> right;
  /// For a wrong array whose elements were all compared, by element; empty: unknown.
  std::vector<bool> wrong = {};
};

/// Judges a run: its end, then its output, then the case's requirements. The exit code's own claim of success is
/// ignored. Sets `id`, `visibility`, verdict, message, next step, mismatch, excerpt and wall time; score() sets
/// points. Every command that calls a result right or wrong asks this function.
/// @throws Error (fault) when the expected result can't be read
Judgement judge(const Lab& lab, const Case& c, const RunResult& run, const CaseData& data,
                const JudgeContext& context);

/// Whether the program reached its end, so that its result can be verified: exit code 0, 1 (its own test found the
/// result wrong) or 5 (the program misses another requirement).
bool ends_in_order(const RunResult& run);

/// Sets verdict, message and next step from result.mismatch.
void tell_mismatch(CaseResult& result, const Lab& lab, const Case& c);

/// "24 of 25 elements are wrong.": the extent of a mismatch, without a cause.
std::string words_of_extent(const Case& c, const Mismatch& mismatch);

/// "segmentation fault: the program read or wrote memory that is not its own": a signal in words.
std::string signal_words(int signal);

}  // namespace grader
