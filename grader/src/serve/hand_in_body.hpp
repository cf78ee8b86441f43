/// @file
/// The files in the body of a hand-in: JSON, a zip archive, or what `git push` sent.
#pragma once
#include <string>
#include <vector>

#include "course/assemble.hpp"

namespace grader {

/// Bytes of a body, and of what a push unpacks to as an archive.
inline constexpr std::size_t largest_hand_in = 4 << 20;

bool is_zip(const std::string& body);

/// The files of the lab in an archive, in whatever folder of it. If some are in a folder with the lab's id or in one
/// named level<n>, only those count: one repository may hold several labs. @param ignored receives the names of the
/// others @throws Error (usage) as read_archive() does
std::vector<SubmissionFile> files_in_zip(const std::string& body, const LevelForm& form,
                                         std::vector<std::string>& ignored);

/// The files of {"files": [{"name", "text"}]}; none for another body.
std::vector<SubmissionFile> files_in_json(const std::string& body);

}  // namespace grader
