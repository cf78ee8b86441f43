/// @file
/// `grader mistakes LAB --check`: every planted mistake is graded, and must be caught and named.
#pragma once
#include "author/wrong.hpp"
#include "grade/grade.hpp"

namespace grader {

/// What became of a planted mistake.
struct MistakeOutcome {
  int level = 1;          ///< the last level where it costs points; a part that is given does not count there
  Grading grading;        ///< at that level
  bool caught = false;    ///< it cost points, with the verdict that wrong.toml names
  bool named = false;     ///< the pattern and the finding that wrong.toml names were found
  std::string what_else;  ///< one sentence of what was said instead; empty when it was caught and named
};

/// Grades the solution with a mistake in it, and runs the checker where wrong.toml asks for a finding.
/// @throws Error as grade(), and as apply_wrong()
MistakeOutcome try_mistake(const Kit& kit, const Toolchain& toolchain, const Lab& lab,
                           const WrongSolution& wrong, Backend backend, const Progress& progress);

}  // namespace grader
