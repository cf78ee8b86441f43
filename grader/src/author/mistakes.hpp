/// @file
/// `grader mistakes LAB --check`: every planted mistake is graded, and must be caught and named.
#pragma once
#include "author/wrong.hpp"
#include "grade/grade.hpp"

namespace grader {

/// What became of a planted mistake.
struct MistakeOutcome {
  int level = 1;         ///< the last level where it costs points; a part that is given does not count there
  std::string shown_in;  ///< the case that the report begins with; empty where none failed
  Grading grading;       ///< at that level
  bool caught = false;   ///< it cost points, with the verdict that wrong.toml names
  bool named = false;    ///< the pattern and the finding that wrong.toml names were found
  std::string said;      ///< what the student is shown first, see said_first()
  bool explained = false;  ///< `said` holds all of WrongSolution::names; false where none is asked for
  std::vector<std::string> falsehoods;  ///< of WrongSolution::never, those that `said` holds
  std::string what_else;  ///< one sentence of what was said instead; empty when it was caught and named
};

/// What a student reads first: of a program that does not compile the compiler's messages; else the message,
/// the explanation and the advice of the first case that failed, what the program printed of an error, and the
/// headline and hint of the checker's first finding.
/// @param checked of `grader check`; null where it was not run
std::string said_first(const Grading& grading, const Grading* checked);

/// Holds `said` all of the words that wrong.toml asks for, and which of those does it hold that would be false?
/// Letter case does not count. Sets `explained` and `falsehoods`.
void judge_words(MistakeOutcome& outcome, const WrongSolution& wrong);

/// Which cases a mistake is graded with.
enum class MistakeCases {
  named,  ///< in emulation the one that wrong.toml names, and under the checker the one of its finding as well
  every   ///< all; the report must then begin with the case that wrong.toml names
};

/// Grades the solution with a mistake in it; runs the checker as well where the grading does not show all that
/// wrong.toml asks for.
/// @param seed from which cases draw their inputs, those without one in lab.toml
/// @throws Error as grade(), and as apply_wrong(); (usage) for a case that the lab doesn't have
MistakeOutcome try_mistake(const Kit& kit, const Toolchain& toolchain, const Lab& lab,
                           const WrongSolution& wrong, Backend backend, MistakeCases cases,
                           std::uint64_t seed, const Progress& progress);

}  // namespace grader
