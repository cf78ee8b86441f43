/// @file
/// One run of a program → the verdict of its case, in words: what happened, and where to look. Used by
/// `grade` and by tables.
#pragma once
#include "run/run.hpp"

namespace grader {

/// The context of a judgement.
struct JudgeContext {
  Backend backend = Backend::emu;
  /// Runs on this machine leave a profile, so a run without a kernel in it did not use the GPU.
  bool profile_expected = true;
};

/// Judges a run: its end, then its output, then the case's requirements. The exit code's own claim of success is
/// ignored. Sets `id`, `visibility`, verdict, message, next step, mismatch, excerpt and wall time; score() sets
/// points.
/// @throws Error (fault) when the expected result can't be read
CaseResult judge(const Lab& lab, const Case& c, const RunResult& run, const CaseData& data,
                 const JudgeContext& context);

/// "24 of 25 elements are wrong.": the extent of a mismatch, without a cause.
std::string words_of_extent(const Case& c, const Mismatch& mismatch);

/// "segmentation fault: the program read or wrote memory that is not its own": a signal in words.
std::string signal_words(int signal);

}  // namespace grader
