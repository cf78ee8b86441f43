/// @file
/// `fs`: the grader's name for the standard library's file system.
#pragma once
#include <filesystem>

namespace grader {

namespace fs = std::filesystem;

}  // namespace grader
