/// @file
/// Finds a class's hand-ins: the owner and the time of each folder, archive and file.
///
/// A folder of hand-ins holds an unpacked download of a learning platform (platform_name.hpp has the names that
/// Canvas, Moodle, Blackboard and Gradescope give), or one entry for each student or attempt:
///
///     ada/                                              a folder, or a git clone
///     lab2-ada/  lab2-bob/  lab2-cleo/                  git clones of an assignment (3 or more), prefix dropped
///     ada/1/  ada/2/                                    its attempts
///     ada.zip  ada-2.tar.gz                             archives; -2 is the second attempt
///
/// Lists of platforms may lie beside them (platform_list.hpp): Moodle's grading worksheet, and Gradescope's list.
#pragma once
#include <string>
#include <vector>

#include "base/filesystem.hpp"
#include "course/class_file.hpp"
#include "course/platform_name.hpp"

namespace grader {

/// One attempt of one student.
struct HandIn {
  std::string student;  ///< the id in the class's file, or the platform's name for the person (identity.hpp)
  std::string number;   ///< the platform's own number of the student, or empty
  int attempt = 1;      ///< counted from 1 in order of arrival
  std::vector<fs::path> paths;  ///< folders, an archive, or the files of one attempt
  /// UTC, "2030-01-02T03:04:05Z": the platform's time; a clone's last commit; else the newest file's time of change.
  /// Empty for files from a platform's download, whose times are the download's.
  std::string received_at;
  std::string note = {};     ///< remark on that time for the reader; may be empty
  bool marked_late = false;  ///< by the platform, which gives no time
};

struct FoundHandIns {
  std::vector<HandIn> all;           ///< by student and attempt
  std::vector<std::string> remarks;  ///< skipped entries, unknown students, unknown times: sentences
};

/// All hand-ins of a folder, without hidden entries and those named in `others` (the class file, the folder of the
/// results).
/// @throws Error (usage) when the folder is missing or empty, or a platform's list can't be read
FoundHandIns find_hand_ins(const fs::path& folder, const std::vector<fs::path>& others,
                           const ClassFile& course = {});

}  // namespace grader
