/// @file
/// Compares the texts in the blanks of a class's hand-ins with each other, without grading.
#pragma once
#include "catalog/catalog.hpp"
#include "course/class_file.hpp"
#include "course/hand_ins.hpp"
#include "similarity/similarity.hpp"

namespace grader {

struct ClassSimilarity {
  std::vector<Answer> answers;  ///< by student and attempt
  Similarity found;
  KnownTexts known;
  /// Answers of several owners that are equal byte for byte, in any number; the lab's own text is no answer.
  std::vector<std::vector<std::size_t>> identical;
};

/// The members of one group of the class file are one owner. An unreadable hand-in is no answer; a file whose marks
/// are gone is compared whole. The kit's own text is ignored; its solution, if the kit has one, counts as one more
/// answer.
ClassSimilarity compare_class(const Kit& kit, const Lab& lab, int level, const ClassFile& course,
                              const std::vector<HandIn>& hand_ins);

}  // namespace grader
