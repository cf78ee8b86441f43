/// @file
/// Explains a mark in words: the points lost by part and case, the late rule, and the points that a person added.
#pragma once
#include "course/course.hpp"

namespace grader {

/// "+0.5" or "-1"
std::string added_text(const Mark& mark);

/// "4 of 5". Empty if `grader ask` asked the student no questions about these files.
std::string answers_text(const Mark& mark);

/// Sentences for the student, one line for each. Empty if all points were earned and no person changed the mark.
/// @param own the grading with the details that its student may see
std::vector<std::string> mark_lines(const Lab& lab, const Grading& own, const Mark& mark);

}  // namespace grader
