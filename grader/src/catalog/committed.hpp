/// @file
/// Reads committed versions of the kit's files from git. Without git or without commits, there are none.
#pragma once
#include "catalog/catalog.hpp"

namespace grader {

/// The texts of a file in the commits that changed it, the newest first, at most `most`. Empty if the file
/// was never committed, or if there is no repository or no git.
std::vector<std::string> committed_versions(const Kit& kit, const fs::path& file, int most);

}  // namespace grader
