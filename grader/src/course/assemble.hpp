/// @file
/// Makes the graded files from a hand-in: the kit's files, with the student's text in the blanks and nowhere
/// else.
#pragma once
#include "workspace/skeleton.hpp"
#include "workspace/submission.hpp"

namespace grader {

/// A level's files, read and parsed once for all hand-ins of a class.
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
  /// Sentences with file and line: text that was changed outside of the blanks, missing files, duplicate
  /// files.
  std::vector<std::string> notes;
  bool lacks_files = false;  ///< a file with blanks was not handed in
};

/// Finds each file of the level that has blanks in the hand-in, and copies the text between its marks into
/// the kit's file. A file whose marks are gone is graded as it was handed in, and a note says so, because a
/// person has to look at the file. A missing file is replaced by the kit's, with its blanks.
/// @param handed_in the files. If two have the same name, the one in a folder LAB/levelN counts, else the one
///   in the fewest folders. If no file has the name, the copy (file_name.hpp) with the greatest number counts
/// @param folder    the origin of the hand-in, for the record
Assembled assemble(const LevelForm& form, const std::vector<SubmissionFile>& handed_in,
                   const fs::path& folder);

}  // namespace grader
