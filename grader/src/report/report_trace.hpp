/// @file
/// Shows the work of a kernel's blocks for a terminal: the content of `grader view`'s page in words and numbers.
#pragma once
#include "base/terminal.hpp"
#include "model/trace.hpp"

namespace grader {

std::string trace_text(const Trace& trace, const Style& style);

}  // namespace grader
