/// @file
/// `grader mistakes LAB --check --agree`: compares the commands' answers for the same case of the same files.
#pragma once
#include <optional>

#include "author/wrong.hpp"
#include "grade/grade.hpp"

namespace grader {

/// Runs a case as `grader check`, `grader view` and `grader view --element` do, at its checking size, and holds their
/// answers against each other and against the grading. In emulation.
/// @param submission its lab draws the inputs from fixed seeds
/// @param graded a grading of the case
/// @return one sentence, empty when they agree; none where nothing can be compared: a program that does not compile,
///         a case that `grader check` does not run
std::optional<std::string> disagreement(const Kit& kit, const Toolchain& toolchain,
                                        const Submission& submission, const std::string& case_id,
                                        const Grading& graded);

/// The first mistake of each kind: a verdict, with or without a finding and a pattern.
std::vector<std::string> one_of_each_kind(const std::vector<WrongSolution>& all);

}  // namespace grader
