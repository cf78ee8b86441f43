/// @file
/// A grading in the formats of other systems. For hidden cases they contain only the name and the verdict.
#pragma once
#include <string>

#include "model/grading.hpp"
#include "model/lab.hpp"

namespace grader {

/// Gradescope's results.json: https://gradescope-autograders.readthedocs.io/en/latest/specs/. It has a test for each
/// case, the report as output and, if all cases pass, the kernel time of the last timed case for the leaderboard.
std::string gradescope_json(const Lab& lab, const Grading& grading);

/// The last line of an autograder's output, which Autolab parses: {"scores": {"part 1": 2, …}}.
std::string autolab_line(const Grading& grading);

/// JUnit's XML: a test for each case, and failures with their messages. Cases that can't be judged here are marked as
/// skipped.
std::string junit_xml(const Lab& lab, const Grading& grading);

/// The base64 input of GitHub Classroom's reporter: a test for each part, with its points.
/// https://github.com/classroom-resources/autograding-grading-reporter
std::string classroom_result(const Grading& grading);

}  // namespace grader
