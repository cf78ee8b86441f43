/// @file
/// Why a mark is what it is, in words: the points lost by part and case, the late rule, and what a person added.
#pragma once
#include "course/course.hpp"

namespace grader {

/// "+0.5" or "-1"
std::string added_text(const Mark& mark);

/// "4 of 5"; empty for a student whom `grader ask` did not ask about these files
std::string answers_text(const Mark& mark);

/// Sentences for the student, a line each. Empty where all points were earned and nothing was changed by hand.
/// @param own the grading as its student may see it
std::vector<std::string> mark_lines(const Lab& lab, const Grading& own, const Mark& mark);

}  // namespace grader
