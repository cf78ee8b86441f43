/// @file
/// The second step: reads the files to grade.
///
/// A Submission is a snapshot: the files are read only once, so that a file saved during a grading can't mix two
/// states.
#pragma once
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "model/grading.hpp"
#include "workspace/lab_files.hpp"

namespace grader {

struct SubmissionFile {
  fs::path name;  ///< relative to the folder
  std::string text;
};

/// One student's files for one lab, as they were when they were read.
struct Submission {
  const Lab* lab = nullptr;
  int level = 1;
  Origin origin = Origin::student;
  fs::path folder;
  std::vector<SubmissionFile> files;      ///< sorted by name; every regular file (sources, headers, data)
  std::vector<Todo> todo;                 ///< blanks that are not filled in
  std::string sha256;                     ///< hash of names and contents
  std::vector<fs::path> sources() const;  ///< the .cu and .cpp files, which make one program
};

/// The limits of a submission.
struct SubmissionLimits {
  std::size_t files;
  std::uintmax_t file_bytes, bytes;  ///< limits for one file, and for all files
};
inline constexpr SubmissionLimits submission_limits = {200, 4 << 20, 32 << 20};

/// The files of a folder and its subfolders, sorted by name. Hidden files (.x), dumps and pages are left out. The
/// function writes no file.
/// @param next_step the remedy to suggest in an error
/// @throws Error (usage) under the same conditions as read_submission()
std::vector<SubmissionFile> read_files(const fs::path& folder, const std::string& next_step = {});

/// A student's folder for a level: `work/<lab>/level<n>`, or below Kit::work().
fs::path workspace_folder(const Kit& kit, const Lab& lab, int level);

/// Reads a student's workspace (or the level's skeleton, if there is no workspace yet), the solution, or any folder
/// with its subfolders. Hidden files (.x) are not part of a submission. A folder that contains only the files with
/// blanks is completed from the kit. The function writes no file.
/// @throws Error (usage) for a missing, empty or unreadable folder, a file over 4 MiB, more than 200 files or 32 MiB
///         in all, a link that leads out of the folder, a pipe or a device
Submission read_submission(const Kit& kit, const Lab& lab, int level, Origin origin,
                           const fs::path& folder = {});

/// @throws Error (usage) with the remedy when a student's workspace lacks one of its level's sources
void need_whole(const Kit& kit, const Submission& submission);

/// Finds the blanks again and computes the digest again, after files of a submission were changed in memory.
void summarise(Submission& submission);

/// Converts the kit's files to a submission's form.
std::vector<SubmissionFile> as_submitted(const std::vector<LabFile>& files);
std::string digest(const std::vector<SubmissionFile>& files);

}  // namespace grader
