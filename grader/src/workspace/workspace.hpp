/// @file
/// The second step: the student's files of one lab and level, and what may be done to them.
///
/// A Submission is a snapshot: the files are read once,
/// so that saving a file during a grading can't mix two states.
#pragma once
#include "catalog/catalog.hpp"
#include "model/grading.hpp"

namespace grader {

struct SubmissionFile {
  fs::path name;  ///< relative to the folder
  std::string text;
};

/// One student's files for one lab, as they were when read.
struct Submission {
  const Lab* lab = nullptr;
  int level = 1;
  Origin origin = Origin::student;
  fs::path folder;
  std::vector<SubmissionFile> files;      ///< sorted by name; every regular file (sources, headers, data)
  std::vector<Todo> todo;                 ///< blanks left
  std::string sha256;                     ///< of names and contents
  std::vector<fs::path> sources() const;  ///< the .cu and .cpp files, which make one program
};

/// Reads `labs/<lab>/level<n>/` (student), `solutions/<lab>/` without markers (solution), or any folder, with
/// its subfolders. Hidden files (.x) are not part of a submission.
/// @throws Error (usage) for a missing, empty or unreadable folder, a file over 4 MiB, more than 200 files or
///         32 MiB in all, a link out of it, a pipe or device
Submission read_submission(const Kit& kit, const Lab& lab, int level, Origin origin,
                           const fs::path& folder = {});

/// Finds the blanks and takes the digest again, after files of a submission were changed in memory.
void summarise(Submission& submission);

/// Puts a level's skeleton back; the student's folder is kept as a backup first.
/// The skeleton comes from solutions/ where that is present, else from the last commit (git).
/// @param changed  set to whether anything differed
/// @return the backup's folder, empty when nothing differed or there was nothing to keep
/// @throws Error (environment) when the skeleton is in neither place or can't be written;
///         nothing is lost then
fs::path reset_level(const Kit& kit, const Lab& lab, int level, bool* changed = nullptr);

/// The next hints: `shown` of each part so far is kept in the state folder, one more is given each time.
struct HintGiven {
  int part;
  std::string part_title;
  int number;  ///< counts from 1
  int of;
  std::string text;
};
/// @param part 0: the first part that is still to do, or the first when none is
/// @param note  set to a sentence when what was shown so far could not be read, and counting starts again
/// @return the hints given so far for that part, the new one last; the same list again when there are no
///         more; empty when the part has none
/// @throws Error (usage) for a part that the lab has not; (environment) when the state can't be written
std::vector<HintGiven> next_hint(const Kit& kit, const Lab& lab, int level, int part,
                                 std::string* note = nullptr);

}  // namespace grader
