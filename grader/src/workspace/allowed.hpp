/// @file
/// Checks which headers a submission includes. The headers of the standard library, the system, the kit and
/// the CUDA runtime are allowed, and so are those that lab.toml adds. A library that solves the exercise has
/// another header.
#pragma once
#include "workspace/submission.hpp"

namespace grader {

/// The names of the allowed headers of the language, the system and CUDA's runtime, with those that the lab
/// adds. The kit's headers are allowed, too.
std::vector<std::string> allowed_headers(const std::vector<std::string>& of_lab);

/// Finds the first forbidden header, in code only: comments and strings are ignored.
/// @param allowed the headers that the lab adds, such as "cooperative_groups.h"
/// @return a sentence with the header's file and line; empty if all headers are allowed
std::string forbidden_include(const Submission& submission, const std::vector<std::string>& allowed);

}  // namespace grader
