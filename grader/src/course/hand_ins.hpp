/// @file
/// What a class has handed in: which folders and archives are whose, and what is in them.
///
/// A folder of hand-ins holds one entry for each student or attempt, named as the learning platforms name them:
///
///     ada/                                              a folder, or a git clone
///     lab2-ada/  lab2-bob/  lab2-cleo/                  git clones of one assignment: what all (three at least) begin with is left out
///     ada/1/  ada/2/                                    its attempts
///     ada.zip  ada-2.tar.gz                             archives; -2 is the second attempt
///     Ada Lovelace_1234567_assignsubmission_file/       Moodle, with files or an archive in it
///     lovelaceada_LATE_12345_67890_kernel-1.cu          Canvas, a file for each file; -1 is a second attempt
///
/// Archives are read into memory and never unpacked, so that no name in them can lead anywhere.
#pragma once
#include <string>
#include <vector>

#include "base/filesystem.hpp"
#include "workspace/submission.hpp"

namespace grader {

/// One attempt of one student.
struct HandIn {
  std::string student;          ///< as the names say; Moodle's and Canvas's numbers left out
  std::string number;           ///< the platform's own number of the student, or empty
  int attempt = 1;              ///< counted from 1 in the order in which they came
  std::vector<fs::path> paths;  ///< a folder, an archive, or the files of one attempt
  std::string
      received_at;  ///< UTC, "2030-01-02T03:04:05Z": the newest file's time of change, or the last commit's
  std::string note = {};  ///< what a reader should know of that time; may be empty
};

/// All hand-ins of a folder, by student and attempt. Hidden entries and those named in `others` (the class file, the
/// folder of the results) are no hand-ins. @throws Error (usage) when there is no such folder, or nothing is in it
std::vector<HandIn> find_hand_ins(const fs::path& folder, const std::vector<fs::path>& others);

/// Its files. @throws Error (usage) as read_files(), and for an archive that is damaged, encrypted, or too large
std::vector<SubmissionFile> read_hand_in(const HandIn& hand_in);

/// Whether the name is one of an archive that can be read: zip, tar, and compressed tar.
bool is_archive(const fs::path& file);

}  // namespace grader
