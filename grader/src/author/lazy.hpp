/// @file
/// `grader mistakes LAB --lazy` tries answers to a blank that need no thought. Each of them must lose points.
#pragma once
#include "grade/grade.hpp"

namespace grader {

/// The solution in which one blank of a level has an answer that needs no thought.
struct LazyAnswer {
  int level = 1;
  fs::path file;           ///< the skeleton's name, relative to the program's folder
  unsigned line = 0;       ///< line of the blank's opening mark
  std::vector<int> parts;  ///< parts of the blank
  std::string kind;        ///< "left empty", "a constant" or "the neighbour's answer"
  Submission submission;
};

/// For each blank of each level, these answers: its own lines without LAB_TODO; the same lines with a
/// constant in each return; and the answer of the next blank in its file (of the preceding one, for the last
/// blank). Answers that equal the solution's or another answer are left out.
/// @throws Error (usage) for a level that is not the solution with blanks
std::vector<LazyAnswer> lazy_answers(const Kit& kit, const Lab& lab);

/// Grades an answer with the cases that judge the parts of its blank.
/// @return a grading without points if no case judges these parts on this backend
Grading grade_lazy(const Kit& kit, const Toolchain& toolchain, const Lab& lab, const LazyAnswer& answer,
                   Backend backend);

}  // namespace grader
