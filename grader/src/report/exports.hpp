/// @file
/// A grading in the forms that other systems read. What students may not see of hidden cases is in none of them: the name
/// and the verdict are all there is.
#pragma once
#include <string>

#include "model/grading.hpp"
#include "model/lab.hpp"

namespace grader {

/// Gradescope's results.json: https://gradescope-autograders.readthedocs.io/en/latest/specs/. A test for each case, the
/// report as output, and the kernel's time of the last timed case on the leaderboard when all is right.
std::string gradescope_json(const Lab& lab, const Grading& grading);

/// The line that Autolab looks for, the last one that an autograder prints: {"scores": {"part 1": 2, …}}.
std::string autolab_line(const Grading& grading);

/// JUnit's XML: a test for each case, failures with their messages; what can't be judged here is skipped.
std::string junit_xml(const Lab& lab, const Grading& grading);

/// What GitHub Classroom's reporter reads, in base64: a test for each part, with its points.
/// https://github.com/classroom-resources/autograding-grading-reporter
std::string classroom_result(const Grading& grading);

}  // namespace grader
