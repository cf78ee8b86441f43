/// @file
/// What the last commit holds of the kit, through git.
/// A kit without git or without commits just holds nothing.
#pragma once
#include "catalog/catalog.hpp"

namespace grader {

/// A file's texts in the commits that changed it, the newest first, at most `most` of them; empty when it was never
/// committed, and where there is no repository or no git.
std::vector<std::string> committed_versions(const Kit& kit, const fs::path& file, int most);

}  // namespace grader
