/// @file
/// Measured tables of one lab in one JSON file, written anew after each row: a sweep that was cut off goes on
/// where it was. The files of docs/results are journals too.
///
///     {"format": 1, "kind": "tables", "lab": "lab2.1", "tables": [ … as `grader table --json` … ]}
#pragma once
#include "base/error.hpp"
#include "model/table.hpp"

namespace grader {

class Journal {
 public:
  /// Reads what the file holds; none is an empty journal.
  /// @throws Error (usage) when the file is no journal of the lab
  Journal(fs::path file, std::string lab);

  /// A table by its id, or null.
  const Table* find(const std::string& id) const;
  /// Replaces the table of the same id, or adds it, and writes the file. @throws Error (environment)
  void put(const Table& table);
  /// Drops the tables of other ids; the file is written when any was there. @throws Error (environment)
  void keep_only(const std::vector<std::string>& ids);
  /// In the order in which they were first put.
  const std::vector<Table>& tables() const { return tables_; }

 private:
  void write() const;

  fs::path file_;
  std::string lab_;
  std::vector<Table> tables_;
};

}  // namespace grader
