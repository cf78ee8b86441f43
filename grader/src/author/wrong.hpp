/// @file
/// Solutions that must fail, to test a lab's cases. `solutions/<lab>/wrong.toml` lists small changes to the
/// right solution.
#pragma once
#include <optional>

#include "catalog/text_change.hpp"
#include "workspace/submission.hpp"

namespace grader {

/// A change to a file of the solution.
struct Edit : TextChange {
  fs::path file;  ///< relative to the solution
};

/// A change to the solution, and what grading it must show.
struct WrongSolution : Edit {
  std::string name;             ///< stable, unique in its lab
  std::string title;            ///< the mistake in words
  std::string shown_in;         ///< first case of the report; empty: unknown, so all cases are
                                ///< graded
  std::vector<Edit> also = {};  ///< more changes, made after the first
  Verdict verdict = Verdict::wrong_answer;
  std::optional<Verdict> gpu_verdict = {};  ///< the verdict on a GPU, if it differs
  Verdict verdict_on(Backend backend) const {
    return backend == Backend::gpu && gpu_verdict ? *gpu_verdict : verdict;
  }
  /// What `grader check` must find in emulation. Without a rule, no finding is required.
  struct Expected {
    std::string rule;       ///< Finding::rule
    std::string says;       ///< a part of the finding's headline or hint; may be empty
    std::string only_case;  ///< the checked case that must show the finding; empty: any case
  } finding = {};
  std::string pattern;  ///< Mismatch::pattern that the report must have; empty: any or none
  /// Words that the first text for the student must contain, all of them. Of "a|b", one word is enough.
  std::vector<std::string> names = {};
  /// Words that would be false for this mistake. The same text must contain none of them.
  std::vector<std::string> never = {};
  /// The backends on which the solution certainly fails. On a GPU, a race may not show.
  std::vector<Backend> backends = {Backend::emu, Backend::gpu};
};

/// Reads `solutions/<lab>/wrong.toml`. @throws Error (usage) with file, line, caret and the expected form
std::vector<WrongSolution> read_wrong(const Kit& kit, const Lab& lab);

/// The solution with the mistake in it, as a submission.
/// @throws Error (usage) with wrong.toml's file and line when the file is missing, or `find` does not occur exactly
///         once
Submission apply_wrong(const Submission& solution, const WrongSolution& wrong);

}  // namespace grader
