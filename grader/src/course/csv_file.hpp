/// @file
/// A CSV file of a spreadsheet or a learning platform, row by row. The separator is the head's: comma, semicolon or
/// tab; quoting follows RFC 4180.
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
    unsigned line = 0;  ///< where it begins
    /// Empty for a missing cell or a negative column.
    std::string cell(int column) const {
      return column >= 0 && static_cast<std::size_t>(column) < cells.size()
                 ? cells[static_cast<std::size_t>(column)]
                 : std::string();
    }
  };

  /// @throws Error (usage) when it can't be read, or is no UTF-8 text
  explicit CsvFile(const fs::path& file);

  /// The next row that is not empty. False at the end. @throws Error (usage) with file and line
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

/// The column with the first of these names that occurs in the head, whether written with capitals or with "_" for a
/// blank; negative: none.
int column_of(const CsvFile::Row& head, std::initializer_list<const char*> names);

}  // namespace grader
