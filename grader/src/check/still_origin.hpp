/// @file
/// The origin of a lab's still image: one line inside the image, which shows without a run whether the image
/// is outdated.
#pragma once
#include "workspace/submission.hpp"

namespace grader {

/// The path of a handout's still image in the lab.
inline constexpr const char* still_file = "figures/seen.svg";

/// A hash of the image's declaration in lab.toml, of the cases that it shows, and of the sources of the solution and
/// the oracle.
/// @param solution the lab's solution
std::string still_origin(const Submission& solution);

/// The command that makes the image again.
std::string still_command(const Lab& lab);

}  // namespace grader
