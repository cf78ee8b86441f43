/// @file
/// The measured tables of one lab. Each table is a CSV file, which is written again after each row, so that
/// an interrupted sweep can resume. The files in docs/results have this form.
#pragma once
#include "run/own_tables.hpp"

namespace grader {

class Journal {
 public:
  /// Reads the lab's tables in the folder. @throws Error (usage) when a file has other content
  Journal(fs::path folder, const Lab& lab);

  /// A table by its id, or null.
  const Table* find(const std::string& id) const;
  /// Replaces the table with the same id, or adds it, and writes its file. @throws Error (environment)
  void put(const Table& table);
  /// Removes the tables that have other ids. @throws Error (environment)
  void keep_only(const std::vector<std::string>& ids);
  const std::vector<Table>& tables() const { return tables_; }

 private:
  fs::path folder_;
  const Lab& lab_;
  std::vector<Table> tables_;
};

}  // namespace grader
