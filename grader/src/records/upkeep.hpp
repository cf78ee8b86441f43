/// @file
/// Proves, backs up and merges whole files of records. A file that is only read is never changed.
#pragma once
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/filesystem.hpp"

namespace grader {

/// What a file of records contains, and its problems.
struct RecordsProof {
  int version = 0;  ///< version of its tables
  int gradings = 0, handed_in = 0, tables = 0;
  std::vector<std::string> problems;  ///< a sentence for each problem
  bool more = false;                  ///< there are more problems than listed
};

/// Runs SQLite's own check of the file, and checks its references and the invariants of its rows: points are
/// between 0 and the maximum, columns agree with the JSON of the grading, and no two gradings have the same
/// id.
/// @throws Error (usage) when the file is missing, foreign, newer, or too damaged to be read
RecordsProof prove_records(const fs::path& file);

/// Copies a consistent snapshot of the records while graders continue to write.
/// @return the number of gradings in the copy
/// @throws Error (usage) when `to` exists; (environment) when `to` can't be written, and then it is removed
int backup_records(const fs::path& file, const fs::path& to);

/// The result for one merged file.
struct Merged {
  fs::path file;
  int added = 0, known = 0;  ///< numbers of gradings that were added, and that `file` already had
  int tables_added = 0;
  std::vector<std::string>
      conflicts;  ///< a sentence for each value in which the files differ, which says what was kept
};

/// Adds the gradings that `file` lacks from other files. Merging a file again adds nothing. All other files
/// are proved first, and if one is unsound, no file is merged.
/// @throws Error under the same conditions as prove_records(), and (usage) when a file is unsound
std::vector<Merged> merge_records(const fs::path& file, const std::vector<fs::path>& others);

}  // namespace grader
