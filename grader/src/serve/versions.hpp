/// @file
/// Keeps earlier versions of a student's files that the workbench graded, so that a page can show them beside
/// the present ones.
#pragma once
#include <string>
#include <vector>

#include "workspace/submission.hpp"

namespace grader {

/// The number of versions that are kept for each lab and level. Older ones are removed.
inline constexpr std::size_t most_versions = 20;

struct Version {
  std::string digest;  ///< Submission::sha256
  fs::path folder;
  fs::file_time_type kept_at;
};

/// Keeps a copy of the files. @throws Error (environment) when the copy can't be written
void keep_version(const Kit& kit, const Submission& submission);

/// The kept versions, the newest first.
std::vector<Version> kept_versions(const Kit& kit, const Lab& lab, int level);

}  // namespace grader
