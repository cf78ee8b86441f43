/// @file
/// Archives read into memory, by libarchive.
#pragma once
#include <vector>

#include "workspace/submission.hpp"

namespace grader {

/// The regular files of an archive, sorted by name, hidden ones left out. Links, devices and the like are left out too;
/// what is read is counted as it is unpacked, so that a small file which grows without end is given up early.
/// @throws Error (usage) when it is damaged, encrypted, no archive, has a name that leads out of it (/etc/x, ../x), or
///         breaks the limits of a submission
std::vector<SubmissionFile> read_archive(const fs::path& file);

/// Writes all files of a folder, hidden ones left out, as a zip with their permissions and a fixed time: the same files make the
/// same bytes. @throws Error (environment)
void write_zip(const fs::path& folder, const fs::path& to);

}  // namespace grader
