/// @file
/// What the last commit holds of the kit, through git.
/// A kit without git or without commits just holds nothing.
#pragma once
#include "catalog/catalog.hpp"

namespace grader {

/// A file's text in the last commit, or none: not committed, no repository, no git.
std::optional<std::string> committed_text(const Kit& kit, const fs::path& file);

/// Absolute paths of the files that the last commit holds below a folder; empty likewise.
std::vector<fs::path> committed_files(const Kit& kit, const fs::path& folder);

}  // namespace grader
