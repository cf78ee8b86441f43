/// @file
/// Archives read into memory, by libarchive.
#pragma once
#include <vector>

#include "workspace/submission.hpp"

namespace grader {

/// What was handed in and not read.
struct Unread {
  std::vector<std::string> notes;   ///< links, archives of which none is the one: sentences
  std::vector<std::string> others;  ///< files of kinds that no lab reads: their names
};

/// The sources, texts and archives in an archive, sorted by name, hidden ones left out. Links, devices and files of other kinds are
/// left out too; what is read is counted as it is unpacked, and what is passed over by what it says of itself, so that a small
/// file which grows without end is given up early.
/// @throws Error (usage) when it is damaged, encrypted, no archive, has a name that leads out of it (/etc/x, ../x), or
///         breaks the limits of a submission
std::vector<SubmissionFile> read_archive(const fs::path& file, Unread* unread = nullptr);
/// The same of an archive that lay in another one.
std::vector<SubmissionFile> read_archive(const SubmissionFile& archive, Unread* unread = nullptr);

/// Writes all files of a folder, hidden ones left out, as a zip with their permissions and a fixed time: the same files make the
/// same bytes. @throws Error (environment)
void write_zip(const fs::path& folder, const fs::path& to);

}  // namespace grader
