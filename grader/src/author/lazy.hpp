/// @file
/// `grader mistakes LAB --lazy`: the answers to a blank that take no thought, each of which must lose points.
#pragma once
#include "grade/grade.hpp"

namespace grader {

/// The solution with one blank of a level answered without thought.
struct LazyAnswer {
  int level = 1;
  fs::path file;           ///< of the skeleton, relative to the program's folder
  unsigned line = 0;       ///< of the blank's first mark
  std::vector<int> parts;  ///< of the blank
  std::string kind;        ///< "left empty", "a constant" or "the neighbour's answer"
  Submission submission;
};

/// For each blank of each level: its own lines without LAB_TODO; the same with a constant in each return; the answer
/// of the next blank in its file, or of the one before the last. No answer that equals the solution's or another one.
/// @throws Error (usage) for a level that is not the solution with blanks
std::vector<LazyAnswer> lazy_answers(const Kit& kit, const Lab& lab);

/// Grades an answer with the cases that judge its blank's parts.
/// @return no points where no case judges them on this backend
Grading grade_lazy(const Kit& kit, const Toolchain& toolchain, const Lab& lab, const LazyAnswer& answer,
                   Backend backend);

}  // namespace grader
