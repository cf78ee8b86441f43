/// @file
/// What a lab's still is made from, as one line that stands in the still: so a still that is out of date is known without a run.
#pragma once
#include "workspace/submission.hpp"

namespace grader {

/// Where a handout has its still: `figures/seen.svg` of the lab.
inline constexpr const char* still_file = "figures/seen.svg";

/// A hash of how lab.toml declares it, of the cases that it shows, and of the sources of the solution and the oracle.
/// @param solution the lab's
std::string still_origin(const Submission& solution);

/// The command that makes it anew.
std::string still_command(const Lab& lab);

}  // namespace grader
