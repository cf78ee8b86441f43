/// @file
/// What a class has handed in: which folders, archives and files are whose, and when they came.
///
/// A folder of hand-ins holds what a learning platform hands out, unpacked (platform_name.hpp has the names that Canvas, Moodle,
/// Blackboard and Gradescope give), or one entry for each student or attempt:
///
///     ada/                                              a folder, or a git clone
///     lab2-ada/  lab2-bob/  lab2-cleo/                  git clones of one assignment: what all (three at least) begin with is left out
///     ada/1/  ada/2/                                    its attempts
///     ada.zip  ada-2.tar.gz                             archives; -2 is the second attempt
///
/// Beside them may lie what platforms say themselves (platform_list.hpp): Moodle's grading worksheet, and Gradescope's list.
#pragma once
#include <string>
#include <vector>

#include "base/filesystem.hpp"
#include "course/class_file.hpp"
#include "course/platform_name.hpp"

namespace grader {

/// One attempt of one student.
struct HandIn {
  std::string student;  ///< the id in the class's file, or what the platform calls the person (identity.hpp)
  std::string number;   ///< the platform's own number of the student, or empty
  int attempt = 1;      ///< counted from 1 in the order in which they came
  std::vector<fs::path> paths;  ///< folders, an archive, or the files of one attempt
  /// UTC, "2030-01-02T03:04:05Z": what the platform says; of a clone the last commit's; else the newest file's time of change,
  /// but for what a platform handed out: there it is the time of the download, and this is empty.
  std::string received_at;
  std::string note = {};     ///< what a reader should know of that time; may be empty
  bool marked_late = false;  ///< by the platform, which says no time
};

struct FoundHandIns {
  std::vector<HandIn> all;  ///< by student and attempt
  std::vector<std::string>
      remarks;  ///< what was passed over, who is unknown, what is not known of the times: sentences
};

/// All hand-ins of a folder. Hidden entries and those named in `others` (the class file, the folder of the results) are no
/// hand-ins. @throws Error (usage) when there is no such folder, nothing is in it, or a platform's list can't be read
FoundHandIns find_hand_ins(const fs::path& folder, const std::vector<fs::path>& others,
                           const ClassFile& course = {});

}  // namespace grader
