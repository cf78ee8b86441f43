/// @file
/// Finds a class's hand-ins, and the owner and the time of each folder, archive and file.
///
/// A folder of hand-ins holds an unpacked download of a learning platform (platform_name.hpp has the names that
/// Canvas, Moodle, Blackboard and Gradescope give), or one entry for each student or attempt:
///
///     ada/                                              a folder, or a git clone
///     lab2-ada/  lab2-bob/  lab2-cleo/                  git clones of an assignment (3 or more), prefix dropped
///     ada/1/  ada/2/                                    its attempts
///     ada.zip  ada-2.tar.gz                             archives; -2 is the second attempt
///
/// Platforms' lists may be in the same folder (platform_list.hpp): Moodle's grading worksheet, and
/// Gradescope's list.
#pragma once
#include <string>
#include <vector>

#include "base/filesystem.hpp"
#include "course/class_file.hpp"
#include "course/platform_name.hpp"

namespace grader {

/// One attempt of one student.
struct HandIn {
  std::string student;          ///< the id in the class file, or the platform's name (identity.hpp)
  std::string number;           ///< the platform's number of the student; may be empty
  int attempt = 1;              ///< counted from 1 in order of arrival
  std::vector<fs::path> paths;  ///< folders, an archive, or the files of one attempt
  /// When it was handed in, in UTC, "2030-01-02T03:04:05Z": the platform's time, a clone's last commit, or
  /// else the time when the newest file was changed. Empty for files from a platform's download, since such
  /// files have the time of the download.
  std::string received_at;
  std::string note = {};     ///< remark for the reader on that time; may be empty
  bool marked_late = false;  ///< whether the platform, which gives no time, marked it late
};

struct FoundHandIns {
  std::vector<HandIn> all;           ///< sorted by student and attempt
  std::vector<std::string> remarks;  ///< sentences: skipped entries, unknown students, unknown times
};

/// All hand-ins of a folder, except hidden entries and those in `others` (the class file, the folder of the
/// results).
/// @throws Error (usage) when the folder is missing or empty, or a platform's list can't be read
FoundHandIns find_hand_ins(const fs::path& folder, const std::vector<fs::path>& others,
                           const ClassFile& course = {});

}  // namespace grader
