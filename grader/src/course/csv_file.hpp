/// @file
/// Reads a CSV file of a spreadsheet or a learning platform row by row. The separator is the one that the
/// head uses: comma, semicolon or tab. Quoting follows RFC 4180.
#pragma once
#include <initializer_list>
#include <string>
#include <vector>

#include "base/filesystem.hpp"

namespace grader {

class CsvFile {
 public:
  struct Row {
    std::vector<std::string> cells;
    unsigned line = 0;  ///< number of its first line
    /// The text of a cell. Empty if the row lacks the cell, or `column` is negative.
    std::string cell(int column) const {
      return column >= 0 && static_cast<std::size_t>(column) < cells.size()
                 ? cells[static_cast<std::size_t>(column)]
                 : std::string();
    }
  };

  /// @throws Error (usage) when the file can't be read, or is not UTF-8 text
  explicit CsvFile(const fs::path& file);

  /// Reads the next row that is not empty. @return false at the end. @throws Error (usage) with file and line
  bool next(Row& row);

  /// Reports a problem at a line of the file. @throws Error (usage)
  [[noreturn]] void fail(unsigned line, const std::string& what, const std::string& next = {}) const;

 private:
  Row read_row();

  const fs::path file_;
  std::string text_;
  char separator_ = ',';
  std::size_t at_ = 0;
  unsigned line_ = 1;
};

/// The first column whose name is one of `names`, tried in their order. Capitals don't matter, and "_" equals
/// a blank. Negative if there is none.
int column_of(const CsvFile::Row& head, std::initializer_list<const char*> names);

}  // namespace grader
