/// @file
/// Compares the texts in the blanks of a class's hand-ins with each other, without grading.
#pragma once
#include "catalog/catalog.hpp"
#include "course/class_file.hpp"
#include "course/hand_ins.hpp"
#include "similarity/similarity.hpp"

namespace grader {

struct ClassSimilarity {
  std::vector<Answer> answers;  ///< sorted by student and attempt
  Similarity found;
  KnownTexts known;
  /// Groups of answers by different owners that are equal byte for byte. An answer that is the lab's own text
  /// is left out.
  std::vector<std::vector<std::size_t>> identical;
};

/// The members of one group of the class file count as one owner. An unreadable hand-in is left out. A file
/// whose marks are gone is compared as a whole. The kit's own text is ignored. If the kit has a solution, it
/// counts as one more answer.
ClassSimilarity compare_class(const Kit& kit, const Lab& lab, int level, const ClassFile& course,
                              const std::vector<HandIn>& hand_ins);

}  // namespace grader
