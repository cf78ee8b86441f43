/// @file
/// Which headers a submission may include: those of the standard library and the system, of the kit, of CUDA's runtime, and
/// what lab.toml allows beside them. A library that does the exercise by itself needs a header that stands in none of these.
#pragma once
#include "workspace/submission.hpp"

namespace grader {

/// Those of the language, the system and CUDA's runtime by name, and the lab's. There are also those of the kit.
std::vector<std::string> allowed_headers(const std::vector<std::string>& of_lab);

/// Looks for the first header that is not allowed, in code alone: what a comment or a string says is not included.
/// @param allowed of the lab: "cooperative_groups.h"
/// @return a sentence with its file and line; empty when all are allowed
std::string forbidden_include(const Submission& submission, const std::vector<std::string>& allowed);

}  // namespace grader
