/// @file
/// The origin of a lab's still, as one line inside it: an outdated still is detected without a run.
#pragma once
#include "workspace/submission.hpp"

namespace grader {

/// Path of a handout's still in the lab.
inline constexpr const char* still_file = "figures/seen.svg";

/// A hash of its declaration in lab.toml, of the cases that it shows, and of the sources of the solution and the
/// oracle.
/// @param solution the lab's
std::string still_origin(const Submission& solution);

/// The command that makes it again.
std::string still_command(const Lab& lab);

}  // namespace grader
