/// @file
/// Proves, backs up and merges whole files of records. No operation changes a file that it reads.
#pragma once
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/filesystem.hpp"

namespace grader {

/// The content of a records file, and its problems.
struct RecordsProof {
  int version = 0;  ///< of its tables
  int gradings = 0, handed_in = 0, tables = 0;
  std::vector<std::string> problems;  ///< a sentence each; empty: none
  bool more = false;                  ///< there are more problems than listed
};

/// Runs SQLite's own check of the file, and checks its references and the invariants of its rows: points are between
/// 0 and the maximum, columns agree with the grading in JSON, and each grading has a distinct id.
/// @throws Error (usage) when the file is missing, foreign, newer, or too damaged to be read
RecordsProof prove_records(const fs::path& file);

/// Copies a consistent snapshot of the records while graders continue to write. @return the number of gradings in the
/// copy
/// @throws Error (usage) when `to` exists; (environment) when `to` can't be written; it is removed then
int backup_records(const fs::path& file, const fs::path& to);

/// The result for one merged file.
struct Merged {
  fs::path file;
  int added = 0, known = 0;  ///< gradings
  int tables_added = 0;
  std::vector<std::string>
      conflicts;  ///< a sentence each: where the two files disagree, and which value was kept
};

/// Adds to `file` the gradings of the other files that it lacks, each only once, however often the files are merged.
/// All other files are proved first: if one is unsound, no file is merged. @throws Error under the same conditions as
/// prove_records(), and (usage) when a file is unsound
std::vector<Merged> merge_records(const fs::path& file, const std::vector<fs::path>& others);

}  // namespace grader
