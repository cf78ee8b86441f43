/// @file
/// Reads the files in the body of a hand-in: JSON, a zip archive, or the archive of a `git push`.
#pragma once
#include <string>
#include <vector>

#include "course/assemble.hpp"

namespace grader {

/// Most bytes of a body, and of the archive that is made of a push.
inline constexpr std::size_t largest_hand_in = 4 << 20;

bool is_zip(const std::string& body);

/// The lab's files in an archive, in any of its folders. A repository may hold several labs: if some of the
/// files are in a folder that is named by the lab's id, or levelN, only those count.
/// @param ignored receives the names of all other files
/// @throws Error (usage) as read_archive() does
std::vector<SubmissionFile> files_in_zip(const std::string& body, const LevelForm& form,
                                         std::vector<std::string>& ignored);

/// The files in the JSON {"files": [{"name", "text"}]}. Empty for any other body.
std::vector<SubmissionFile> files_in_json(const std::string& body);

}  // namespace grader
