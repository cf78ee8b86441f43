/// @file
/// `grader mistakes LAB --check --agree`: compares the commands' answers for the same case of the same files.
#pragma once
#include <optional>

#include "author/wrong.hpp"
#include "grade/grade.hpp"

namespace grader {

/// Runs a case in emulation as `grader check`, `grader view` and `grader view --element` do, at its checking size.
/// Compares their answers with each other and with the grading.
/// @param submission files whose lab draws the inputs from fixed seeds
/// @param graded a grading of the case
/// @return one sentence, empty when they agree; no value if nothing can be compared because the program does not
///         compile or `grader check` does not run the case
std::optional<std::string> disagreement(const Kit& kit, const Toolchain& toolchain,
                                        const Submission& submission, const std::string& case_id,
                                        const Grading& graded);

/// The first mistake of each kind. A kind is a verdict, with or without a finding and a pattern.
std::vector<std::string> one_of_each_kind(const std::vector<WrongSolution>& all);

}  // namespace grader
