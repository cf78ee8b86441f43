/// @file
/// The measured tables of one lab. Each table is a CSV file that is rewritten after each row, so that an interrupted
/// sweep can resume. The files of docs/results are such files.
#pragma once
#include "run/own_tables.hpp"

namespace grader {

class Journal {
 public:
  /// Reads the lab's tables in the folder. @throws Error (usage) when a file has other content
  Journal(fs::path folder, const Lab& lab);

  /// A table by its id, or null.
  const Table* find(const std::string& id) const;
  /// Replaces the table of the same id, or adds it, and writes its file. @throws Error (environment)
  void put(const Table& table);
  /// Removes the tables with other ids. @throws Error (environment)
  void keep_only(const std::vector<std::string>& ids);
  const std::vector<Table>& tables() const { return tables_; }

 private:
  fs::path folder_;
  const Lab& lab_;
  std::vector<Table> tables_;
};

}  // namespace grader
