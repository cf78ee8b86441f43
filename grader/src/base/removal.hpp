/// @file
/// Removes everything that a student's program or compilation left.
#pragma once
#include <system_error>

#include "base/filesystem.hpp"

namespace grader {

/// Removes a file, or a folder with its content, which may include folders of mode 0, thousands of nested
/// folders, and paths longer than the system's limit. Links are not followed. Only a few descriptors are open
/// at a time, and the time is linear in the number of entries. A missing path is not an error.
/// @return why an entry remains, such as an error of the disk or a file of another user
std::error_code remove_tree(const fs::path& path);

}  // namespace grader
