/// @file
/// The page that shows the work of a kernel's blocks: one self-contained HTML file, which uses no network.
#pragma once
#include <string>

namespace grader {

/// @param trace JSON from `grader view LAB --format json` (docs/ARCHITECTURE.md)
/// @param title foreign text
std::string kernel_page(const std::string& trace, const std::string& title);

}  // namespace grader
