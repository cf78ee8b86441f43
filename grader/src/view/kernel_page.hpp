/// @file
/// Makes the page that shows the work of a kernel's blocks: one self-contained HTML file, which uses no network.
#pragma once
#include <string>

namespace grader {

/// @param trace the JSON of `grader view LAB --format json` (docs/ARCHITECTURE.md)
/// @param title the title, which may be foreign text
std::string kernel_page(const std::string& trace, const std::string& title);

}  // namespace grader
