/// @file
/// The files of one attempt, read into memory. Nothing is unpacked on the disk and no link is followed, so that no name in a hand-in
/// can lead anywhere.
#pragma once
#include "course/archive.hpp"
#include "course/hand_ins.hpp"
#include "workspace/submission.hpp"

namespace grader {

struct HandedInFiles : Unread {
  std::vector<SubmissionFile> files;  ///< sources and texts, by name
};

/// "a.pdf, b.docx"; of more than `most` names the first.
std::string list_of(const std::vector<std::string>& names, std::size_t most = 5);

/// Where no source lies, the only archive is read instead, and in it once more the only archive.
/// @throws Error (usage) for links, pipes and devices where a student's folder, archive or file should be; where neither a
///         source nor one archive is; and as read_archive()
HandedInFiles read_hand_in(const HandIn& hand_in);

}  // namespace grader
