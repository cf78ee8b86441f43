/// @file
/// Reads the kit's committed files through git. A kit without git or without commits has none.
#pragma once
#include "catalog/catalog.hpp"

namespace grader {

/// A file's texts in the commits that changed it, newest first, at most `most`. The list is empty if the file was
/// never committed, or if there is no repository or no git.
std::vector<std::string> committed_versions(const Kit& kit, const fs::path& file, int most);

}  // namespace grader
