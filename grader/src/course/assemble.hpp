/// @file
/// From what was handed in to what is graded: only what stands in the blanks is the student's, all else is the kit's.
#pragma once
#include "workspace/skeleton.hpp"
#include "workspace/submission.hpp"

namespace grader {

/// A level's files, read and taken apart once for all hand-ins.
struct LevelForm {
  struct File {
    SubmissionFile file;
    std::vector<std::string> lines;
    Skeleton skeleton;  ///< without blanks: the file is the kit's as it is
  };
  const Lab* lab = nullptr;
  int level = 1;
  std::vector<File> files;
};
/// @param lab must outlive the form
LevelForm read_form(const Kit& kit, const Lab& lab, int level);

struct Assembled {
  Submission submission;
  /// What was changed outside of the blanks, what is missing, what was found twice: sentences with file and line.
  std::vector<std::string> notes;
  bool lacks_files = false;  ///< one that is asked for was not handed in
};

/// Looks in the hand-in for each file of the level that has blanks, takes what stands between their marks, and puts it
/// into the kit's file. A file whose marks are gone can't be taken apart: it is graded as it was handed in, and a note
/// says so, since somebody has to look. A file that is missing is the kit's, with its blanks.
/// @param handed_in the files; where two have the name, the one in a folder LAB/levelN is meant, else the shallowest. Where none has
///        it, a copy of it serves (file_name.hpp), the one with the greatest number first
/// @param folder    where it was handed in, for the record
Assembled assemble(const LevelForm& form, const std::vector<SubmissionFile>& handed_in,
                   const fs::path& folder);

}  // namespace grader
