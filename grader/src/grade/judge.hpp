/// @file
/// One run of a program → the verdict of its case, in words: what happened, and where to look. Used by
/// `grade` and by tables.
#pragma once
#include "run/run.hpp"

namespace grader {

/// What is judged besides the run itself.
struct JudgeContext {
  Backend backend = Backend::emu;
  /// A run on this machine leaves a profile, so that one without a kernel did its work elsewhere.
  bool profile_expected = true;
};

/// Judges a run: how it ended, then its output, then the case's requirements. The exit code's own claim
/// counts for nothing. `id`, `visibility`, verdict, message, next step, mismatch, excerpt and wall time are
/// filled; points are score()'s.
/// @throws Error (fault) when the expected result can't be read
CaseResult judge(const Lab& lab, const Case& c, const RunResult& run, const CaseData& data,
                 const JudgeContext& context);

/// "24 of 25 elements are wrong.": how much of an output is, without a word on why.
std::string words_of_extent(const Case& c, const Mismatch& mismatch);

/// "segmentation fault: the program read or wrote memory that is not its own": a signal in words.
std::string signal_words(int signal);

}  // namespace grader
