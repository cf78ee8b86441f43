/// @file
/// `fs`, the name that every part of the grader uses for the standard library's file system.
#pragma once
#include <filesystem>

namespace grader {

namespace fs = std::filesystem;

}  // namespace grader
