/// @file
/// Makes the page that shows what a kernel's blocks do: one HTML file that needs no other file and no
/// network.
#pragma once
#include <string>

namespace grader {

/// @param trace the JSON of `grader view LAB --format json` (docs/ARCHITECTURE.md)
/// @param title may be text from a student
std::string kernel_page(const std::string& trace, const std::string& title);

}  // namespace grader
