/// @file
/// What the blocks of a kernel did, for a terminal: all that the page of `grader view` shows, in words and numbers.
#pragma once
#include "base/terminal.hpp"
#include "model/trace.hpp"

namespace grader {

std::string trace_text(const Trace& trace, const Style& style);

}  // namespace grader
