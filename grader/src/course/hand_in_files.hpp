/// @file
/// The files of one attempt, read into memory. Nothing is unpacked to disk and no link is followed, so no name in a
/// hand-in can lead out of it.
#pragma once
#include "course/archive.hpp"
#include "course/hand_ins.hpp"
#include "workspace/submission.hpp"

namespace grader {

struct HandedInFiles : Unread {
  std::vector<SubmissionFile> files;  ///< sources and texts, by name
};

/// "a.pdf, b.docx"; at most the first `most` names.
std::string list_of(const std::vector<std::string>& names, std::size_t most = 5);

/// Without a source, the only archive is read instead, and in it again the only archive.
/// @throws Error (usage) for links, pipes and devices in place of a student's folder, archive or file; for a hand-in
///         with neither a source nor exactly one archive; and as read_archive()
HandedInFiles read_hand_in(const HandIn& hand_in);

}  // namespace grader
