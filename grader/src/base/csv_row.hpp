/// @file
/// Comma-separated values (RFC 4180): one row at a time, and cells for spreadsheets and learning platforms.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace grader {

struct CsvRow {
  std::vector<std::string> cells;  ///< trimmed
  std::size_t lines = 1;           ///< number of lines of the row, since quotes may contain line ends
  bool whole = true;               ///< false if a quote is not closed
};

/// Reads the row that begins at `at`, and moves `at` to the next row, or the text's end.
CsvRow read_csv_row(std::string_view text, std::size_t& at, char separator = ',');

/// A cell, quoted if necessary. If a spreadsheet would read it as a formula, it begins with an apostrophe,
/// because names come from students' files.
std::string csv_cell(std::string text);

}  // namespace grader
