/// @file
/// Measured tables of one lab in one JSON file, rewritten after each row: an interrupted sweep resumes from it. The
/// files of docs/results are journals too.
///
///     {"format": 1, "kind": "tables", "lab": "lab2.1", "tables": [ … as `grader table --json` … ]}
#pragma once
#include "base/error.hpp"
#include "model/table.hpp"

namespace grader {

class Journal {
 public:
  /// Reads the file; a missing file is an empty journal.
  /// @throws Error (usage) when the file is no journal of the lab
  Journal(fs::path file, std::string lab);

  /// A table by its id, or null.
  const Table* find(const std::string& id) const;
  /// Replaces the table of the same id, or adds it, and writes the file. @throws Error (environment)
  void put(const Table& table);
  /// Drops the tables with other ids, and rewrites the file if any existed. @throws Error (environment)
  void keep_only(const std::vector<std::string>& ids);
  /// In order of their first put().
  const std::vector<Table>& tables() const { return tables_; }

 private:
  void write() const;

  fs::path file_;
  std::string lab_;
  std::vector<Table> tables_;
};

}  // namespace grader
