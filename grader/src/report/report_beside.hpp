/// @file
/// Shows two runs on the same inputs side by side, for a terminal and as a page that needs no script.
#pragma once
#include "base/terminal.hpp"
#include "model/comparison.hpp"

namespace grader {

std::string beside_text(const RunsBeside& comparison, const Style& style);

/// @param head elements for the page's head
std::string beside_page(const RunsBeside& comparison, const std::string& head);

/// "lab1.1 beside lab2.1"
std::string beside_title(const RunsBeside& comparison);

}  // namespace grader
