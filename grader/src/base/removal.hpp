/// @file
/// Removes what a student's program or compilation left, whatever it is.
#pragma once
#include <system_error>

#include "base/filesystem.hpp"

namespace grader {

/// Removes a file, or a folder with all that is in it: also folders of mode 0, thousands of levels deep, or with paths longer
/// than the system takes. No link is followed. A handful of descriptors is open at a time, and the time taken is in proportion
/// to the number of entries. What is not there is no error.
/// @return why something is left: an error of the disk, a file that belongs to another user
std::error_code remove_tree(const fs::path& path);

}  // namespace grader
