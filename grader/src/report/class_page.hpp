/// @file
/// A class's results as a page for the instructor: one HTML file that needs no network and no server. It has the table of
/// the students (to sort and to filter), how the marks are distributed, which parts and cases fail most, what the checker
/// found most often, and what somebody has to look at.
#pragma once
#include <string>
#include <vector>

#include "course/course.hpp"

namespace grader {

/// @param made_at UTC, for the head of the page
std::string class_page(const Lab& lab, const std::vector<GradedAttempt>& attempts,
                       const std::vector<Mark>& marks, const std::string& made_at);

}  // namespace grader
