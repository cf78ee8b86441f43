/// @file
/// Solutions that must fail: `solutions/<lab>/wrong.toml` lists small changes to the right one.
/// They test the lab's cases.
#pragma once
#include <optional>

#include "workspace/submission.hpp"

namespace grader {

/// A change of a file of the solution.
struct Edit {
  fs::path file;     ///< relative to the solution
  std::string find;  ///< occurs exactly once in the file
  std::string replace;
  SourcePos at;  ///< of `find` in wrong.toml, for errors
};

/// A change to the solution, and what must become of it.
struct WrongSolution : Edit {
  std::string name;      ///< stable, unique in its lab
  std::string title;     ///< the mistake in words
  std::string shown_in;  ///< the case that a report begins with; empty: not known, so all must be graded
  std::vector<Edit> also = {};  ///< further changes, made after the first
  Verdict verdict = Verdict::wrong_answer;
  std::optional<Verdict> gpu_verdict = {};  ///< on a GPU, where it is another: larger cases may end otherwise
  Verdict verdict_on(Backend backend) const {
    return backend == Backend::gpu && gpu_verdict ? *gpu_verdict : verdict;
  }
  /// What `grader check` must find in emulation; no rule: not asked.
  struct Expected {
    std::string rule;       ///< Finding::rule
    std::string says;       ///< part of its headline or hint; may be empty
    std::string only_case;  ///< the checked case that shows it; empty: any of them
  } finding = {};
  std::string pattern;  ///< Mismatch::pattern that the report must name; empty: any or none
  /// Words of which each must stand in what the student is shown first; of "a|b" one is enough. None: not asked.
  std::vector<std::string> names = {};
  /// Words that would be false for this mistake: none may stand there.
  std::vector<std::string> never = {};
  /// Where it is sure to fail: on a GPU a race may be won.
  std::vector<Backend> backends = {Backend::emu, Backend::gpu};
};

/// Reads `solutions/<lab>/wrong.toml`. @throws Error (usage) with file, line, caret and what was expected
std::vector<WrongSolution> read_wrong(const Kit& kit, const Lab& lab);

/// The solution with the mistake in it, as a submission of its own.
/// @throws Error (usage) with wrong.toml's file and line when there is no such file, or `find` does not occur exactly once
Submission apply_wrong(const Submission& solution, const WrongSolution& wrong);

}  // namespace grader
