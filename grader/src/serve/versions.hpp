/// @file
/// Earlier versions of a student's files: those that the workbench graded, to be shown beside the present ones.
#pragma once
#include <string>
#include <vector>

#include "workspace/submission.hpp"

namespace grader {

/// The versions kept for each lab and level: the newest ones.
inline constexpr std::size_t most_versions = 20;

struct Version {
  std::string digest;  ///< Submission::sha256
  fs::path folder;
  fs::file_time_type kept_at;
};

/// Keeps a copy of the files. @throws Error (environment) when it can't be written
void keep_version(const Kit& kit, const Submission& submission);

/// The newest first.
std::vector<Version> kept_versions(const Kit& kit, const Lab& lab, int level);

}  // namespace grader
