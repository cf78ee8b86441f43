/// @file
/// `grader mistakes LAB --check` grades every planted mistake. The grading must fail and name the mistake.
#pragma once
#include "author/wrong.hpp"
#include "grade/grade.hpp"

namespace grader {

/// What grading a planted mistake showed.
struct MistakeOutcome {
  int level = 1;           ///< the last level at which it costs points; a given part does not count
  std::string shown_in;    ///< the first case in the report; empty if no case failed
  Grading grading;         ///< the grading at that level
  bool caught = false;     ///< whether the mistake cost points, with the verdict in wrong.toml
  bool named = false;      ///< whether the pattern and the finding in wrong.toml were found
  std::string said;        ///< the first text that the student sees, see said_first()
  bool explained = false;  ///< whether `said` contains all WrongSolution::names; false if there are none
  std::vector<std::string> falsehoods;  ///< words in `said` that WrongSolution::never forbids
  std::string what_else;  ///< a sentence with the actual result; empty if the mistake was caught and named
  std::optional<std::string>
      disagreement;  ///< sentence if commands disagree (agreement.hpp); no value if they were not compared
};

/// The first text that a student reads. For a program that does not compile, the compiler's messages.
/// Otherwise the message, the explanation and the advice of the first failed case, the program's error
/// output, and the headline and hint of the checker's first finding.
/// @param checked the result of `grader check`; null if that command was not run
std::string said_first(const Grading& grading, const Grading* checked);

/// Searches `said` for the words that wrong.toml requires, and for those that it forbids. Ignores letter
/// case. Sets `explained` and `falsehoods`.
void judge_words(MistakeOutcome& outcome, const WrongSolution& wrong);

/// With which cases a mistake is graded.
enum class MistakeCases {
  named,  ///< in emulation, the case in wrong.toml and, under the checker, the case of its finding
  every   ///< all cases; the report must then begin with the case in wrong.toml
};

/// Grades the solution with a mistake in it. Also runs the checker if the grading does not show everything
/// that wrong.toml requires.
/// @param seed the seed for the inputs of cases that have none in lab.toml
/// @param agree whether to compare what other commands say about the mistake's case with the grading
/// @throws Error under the same conditions as grade() and apply_wrong(); (usage) for an unknown case
MistakeOutcome try_mistake(const Kit& kit, const Toolchain& toolchain, const Lab& lab,
                           const WrongSolution& wrong, Backend backend, MistakeCases cases,
                           std::uint64_t seed, bool agree, const Progress& progress);

}  // namespace grader
