/// @file
/// From the hand-in to the graded files: only the text in the blanks is the student's, all else is the kit's.
#pragma once
#include "workspace/skeleton.hpp"
#include "workspace/submission.hpp"

namespace grader {

/// A level's files, read and parsed once for all hand-ins.
struct LevelForm {
  struct File {
    SubmissionFile file;
    std::vector<std::string> lines;
    Skeleton skeleton;  ///< without blanks: the kit's file is used unchanged
  };
  const Lab* lab = nullptr;
  int level = 1;
  std::vector<File> files;
};
/// @param lab must outlive the form
LevelForm read_form(const Kit& kit, const Lab& lab, int level);

struct Assembled {
  Submission submission;
  /// Text changed outside of the blanks, missing files, duplicate files: sentences with file and line.
  std::vector<std::string> notes;
  bool lacks_files = false;  ///< a file with blanks was not handed in
};

/// Finds each file of the level that has blanks in the hand-in, and copies the text between its marks into the kit's
/// file. A file whose marks are gone is graded as it was handed in, and a note says so, since a person has to look at
/// it. A missing file is replaced by the kit's, with its blanks.
/// @param handed_in the files; of two with the same name, the one in a folder LAB/levelN counts, else the shallowest.
///         A copy (file_name.hpp) counts where no file has the name, the greatest number first
/// @param folder    origin of the hand-in, for the record
Assembled assemble(const LevelForm& form, const std::vector<SubmissionFile>& handed_in,
                   const fs::path& folder);

}  // namespace grader
