/// @file
/// Reads archives into memory, with libarchive.
#pragma once
#include <vector>

#include "workspace/submission.hpp"

namespace grader {

/// What an archive or a folder holds besides the files that were read.
struct Unread {
  std::vector<std::string> notes;   ///< sentences: links, and archives that were not opened
  std::vector<std::string> others;  ///< names of files whose kind no lab reads
};

/// The sources, texts and archives in an archive, sorted by name. Hidden entries, links, devices and files of
/// other kinds are left out. A read entry counts with the bytes that it unpacks to, and a skipped entry with
/// its declared size. So a small file that unpacks without end is refused early.
/// @throws Error (usage) for a damaged or encrypted file, a file that is not an archive, a name that leads
///   out of the archive (/etc/x, ../x), or a broken limit of a submission
std::vector<SubmissionFile> read_archive(const fs::path& file, Unread* unread = nullptr);
/// The same for an archive inside another one.
std::vector<SubmissionFile> read_archive(const SubmissionFile& archive, Unread* unread = nullptr);

/// Writes all files of a folder except hidden ones as a zip, with their permissions and a fixed time: the same files
/// give the same bytes. @throws Error (environment)
void write_zip(const fs::path& folder, const fs::path& to);

}  // namespace grader
