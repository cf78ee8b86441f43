/// @file
/// Comma-separated values (RFC 4180): one row at a time, and cells for spreadsheets and learning platforms.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace grader {

struct CsvRow {
  std::vector<std::string> cells;  ///< trimmed
  std::size_t lines = 1;           ///< the number of lines that the row spans: quotes may contain line ends
  bool whole = true;               ///< false if a quote is not closed
};

/// Reads the row that begins at `at`, and moves `at` to the next row, or the text's end.
CsvRow read_csv_row(std::string_view text, std::size_t& at, char separator = ',');

/// A cell, quoted if necessary. A cell that a spreadsheet would read as a formula begins with an apostrophe: names
/// come from students' files.
std::string csv_cell(std::string text);

}  // namespace grader
