/// @file
/// Who gave an element its value, and from what, for a terminal.
#pragma once
#include "base/terminal.hpp"
#include "model/recording.hpp"
#include "workspace/submission.hpp"

namespace grader {

/// @param submission whose lines are quoted
/// @param all everything that was read, not only the beginning
std::string element_text(const Recording& recording, const Submission& submission, const Style& style,
                         bool all = false);

}  // namespace grader
