/// @file
/// What is done with whole records files: proved, backed up, merged. None of it changes a file that it reads.
#pragma once
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/filesystem.hpp"

namespace grader {

/// What a records file holds, and what is wrong with it.
struct RecordsProof {
  int version = 0;  ///< of its tables
  int gradings = 0, handed_in = 0, tables = 0;
  std::vector<std::string> problems;  ///< a sentence each; empty: all is well
  bool more = false;                  ///< there are more problems than are listed
};

/// SQLite's own check of the file, its references, and what always holds of our rows: points between 0 and the most that there
/// are, columns that say what the grading beside them says, a name of its own for each grading.
/// @throws Error (usage) when it is missing, none of ours, newer, or too damaged to be read
RecordsProof prove_records(const fs::path& file);

/// Copies the records as they are at one moment, while graders go on writing. @return how many gradings it has
/// @throws Error (usage) when `to` is there already; (environment) when it can't be written: nothing is left of it then
int backup_records(const fs::path& file, const fs::path& to);

/// What came out of one file that was merged.
struct Merged {
  fs::path file;
  int added = 0, known = 0;  ///< gradings
  int tables_added = 0;
  std::vector<std::string>
      conflicts;  ///< a sentence each: what the two files do not agree on, and what was kept
};

/// Adds what the others hold and `file` does not: each grading once, however often they are merged. All others are proved first:
/// when one is not sound, nothing is merged. @throws Error as prove_records(), and (usage) for one that is not sound
std::vector<Merged> merge_records(const fs::path& file, const std::vector<fs::path>& others);

}  // namespace grader
