/// @file
/// What stands in the blanks of a class's hand-ins, compared with each other. Nothing is graded for it.
#pragma once
#include "catalog/catalog.hpp"
#include "course/class_file.hpp"
#include "course/hand_ins.hpp"
#include "similarity/similarity.hpp"

namespace grader {

struct ClassSimilarity {
  std::vector<Answer> answers;  ///< by student and attempt
  Similarity found;
  /// Answers of several owners that are the same byte for byte, however many have them; the lab's own text is no answer.
  std::vector<std::vector<std::size_t>> identical;
};

/// Those of one group of the class file are one owner. What can't be read is no answer; a file whose marks are gone is
/// compared whole. The kit's own text counts for nothing, and the solution, where the kit has one, as the answer of one more.
ClassSimilarity compare_class(const Kit& kit, const Lab& lab, int level, const ClassFile& course,
                              const std::vector<HandIn>& hand_ins);

}  // namespace grader
