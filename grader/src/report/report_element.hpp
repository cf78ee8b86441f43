/// @file
/// The thread and the inputs that gave an element its value, for a terminal.
#pragma once
#include "base/terminal.hpp"
#include "model/recording.hpp"
#include "workspace/submission.hpp"

namespace grader {

/// @param submission whose lines are quoted
/// @param all shows every read, not only the first ones
std::string element_text(const Recording& recording, const Submission& submission, const Style& style,
                         bool all = false);

}  // namespace grader
