/// @file
/// Shows on a terminal how an element got its value: the thread that wrote it, and the inputs that the thread
/// read.
#pragma once
#include "base/terminal.hpp"
#include "model/recording.hpp"
#include "workspace/submission.hpp"

namespace grader {

/// @param submission the submission whose lines are quoted
/// @param all whether to show every read, not only the first reads
std::string element_text(const Recording& recording, const Submission& submission, const Style& style,
                         bool all = false);

}  // namespace grader
