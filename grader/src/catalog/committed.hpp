/// @file
/// The kit's committed files, through git. A kit without git or without commits has none.
#pragma once
#include "catalog/catalog.hpp"

namespace grader {

/// A file's texts in the commits that changed it, newest first, at most `most`; empty when it was never committed,
/// and without a repository or git.
std::vector<std::string> committed_versions(const Kit& kit, const fs::path& file, int most);

}  // namespace grader
