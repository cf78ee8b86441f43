/// @file
/// The headers that a submission may include: the standard library's and the system's, the kit's, the CUDA runtime's,
/// and those that lab.toml adds. A library that solves the exercise needs a header outside of these.
#pragma once
#include "workspace/submission.hpp"

namespace grader {

/// The headers of the language, the system and CUDA's runtime by name, and the lab's. The kit's are allowed besides.
std::vector<std::string> allowed_headers(const std::vector<std::string>& of_lab);

/// Finds the first forbidden header, in code only: comments and strings are ignored.
/// @param allowed of the lab: "cooperative_groups.h"
/// @return a sentence with its file and line; empty when all are allowed
std::string forbidden_include(const Submission& submission, const std::vector<std::string>& allowed);

}  // namespace grader
