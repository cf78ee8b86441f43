/// @file
/// Reads the files of one attempt into memory. Files are never unpacked to disk, and links are never
/// followed, so no name in a hand-in can lead out of it.
#pragma once
#include "course/archive.hpp"
#include "course/hand_ins.hpp"
#include "workspace/submission.hpp"

namespace grader {

struct HandedInFiles : Unread {
  std::vector<SubmissionFile> files;  ///< sources and texts, sorted by name
};

/// The names as "a.pdf, b.docx": at most the first `most` of them.
std::string list_of(const std::vector<std::string>& names, std::size_t most = 5);

/// If an attempt has no source but exactly one archive, the archive is read. If it holds only another
/// archive, that one is read instead.
/// @throws Error (usage) for links, pipes and devices in place of a student's folder, archive or file; for a hand-in
///         with neither a source nor exactly one archive; and as read_archive()
HandedInFiles read_hand_in(const HandIn& hand_in);

}  // namespace grader
