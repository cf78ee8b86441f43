/// @file
/// The page that shows what the blocks of a kernel did: one HTML file that holds all it needs, and asks no network for
/// anything.
#pragma once
#include <string>

namespace grader {

/// @param trace JSON, as `grader view LAB --format json` gives it (docs/ARCHITECTURE.md)
/// @param title text of others
std::string kernel_page(const std::string& trace, const std::string& title);

}  // namespace grader
