/// @file
/// Operations on whole records files: prove, back up, merge. None changes a file that it reads.
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

/// SQLite's own check of the file, its references, and the invariants of our rows: points between 0 and the maximum,
/// columns that agree with the grading in JSON, a distinct id for each grading.
/// @throws Error (usage) when it is missing, foreign, newer, or too damaged to be read
RecordsProof prove_records(const fs::path& file);

/// Copies a consistent snapshot of the records, while graders continue to write. @return its number of gradings
/// @throws Error (usage) when `to` exists; (environment) when it can't be written: it is removed then
int backup_records(const fs::path& file, const fs::path& to);

/// The result for one merged file.
struct Merged {
  fs::path file;
  int added = 0, known = 0;  ///< gradings
  int tables_added = 0;
  std::vector<std::string>
      conflicts;  ///< a sentence each: where the two files disagree, and which value was kept
};

/// Adds the gradings that `file` lacks from the others, each once, however often they are merged. All others are
/// proved first: if one is unsound, nothing is merged. @throws Error as prove_records(), and (usage) for an unsound
/// one
std::vector<Merged> merge_records(const fs::path& file, const std::vector<fs::path>& others);

}  // namespace grader
