/// @file
/// `grader mistakes LAB --check --agree` compares what several commands say about the same case of the same
/// files.
#pragma once
#include <optional>

#include "author/wrong.hpp"
#include "grade/grade.hpp"

namespace grader {

/// Runs a case at its checking size in emulation, as `grader check`, `grader view` and `grader view
/// --element` do. Compares their answers with each other and with the grading.
/// @param submission files of a lab whose inputs are drawn from fixed seeds
/// @param graded a grading of the case
/// @return a sentence about the disagreement, empty if there is none. No value if the program does not
///   compile, or `grader check` does not run the case
std::optional<std::string> disagreement(const Kit& kit, const Toolchain& toolchain,
                                        const Submission& submission, const std::string& case_id,
                                        const Grading& graded);

/// The first mistake of each kind: kinds differ in the verdict, and in whether there is a finding and a
/// pattern.
std::vector<std::string> one_of_each_kind(const std::vector<WrongSolution>& all);

}  // namespace grader
