/// @file
/// Archives read into memory, by libarchive.
#pragma once
#include <vector>

#include "workspace/submission.hpp"

namespace grader {

/// The parts of a hand-in that were not read.
struct Unread {
  std::vector<std::string> notes;   ///< links, and archives where several could be meant: sentences
  std::vector<std::string> others;  ///< names of files of kinds that no lab reads
};

/// The sources, texts and archives in an archive, sorted by name. Hidden entries, links, devices and files of other
/// kinds are left out. Bytes of read entries are counted as they are unpacked, bytes of skipped ones by their
/// declared size, so that a small file which grows without end is given up early.
/// @throws Error (usage) for a damaged or encrypted file, a file that is no archive, a name that leads out of it
///         (/etc/x, ../x), or a broken limit of a submission
std::vector<SubmissionFile> read_archive(const fs::path& file, Unread* unread = nullptr);
/// The same for an archive inside another one.
std::vector<SubmissionFile> read_archive(const SubmissionFile& archive, Unread* unread = nullptr);

/// Writes all files of a folder except hidden ones as a zip, with their permissions and a fixed time: the same files
/// give the same bytes. @throws Error (environment)
void write_zip(const fs::path& folder, const fs::path& to);

}  // namespace grader
