/// @file
/// The marks of a class, for people and for learning platforms.
#pragma once
#include <string>
#include <vector>

#include "base/terminal.hpp"
#include "course/course.hpp"

namespace grader {

/// A line for each student: attempts, the verdict of the attempt that counts, points, the share that the late rule
/// leaves, and the mark.
std::string marks_text(const std::vector<Mark>& marks, const Style& style);

/// The same as CSV (RFC 4180), with a heading. A cell that a spreadsheet would read as a formula begins with an
/// apostrophe.
std::string marks_csv(const std::vector<Mark>& marks);

}  // namespace grader
