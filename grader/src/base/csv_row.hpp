/// @file
/// Comma-separated values as programs write them: one row at a time.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace grader {

struct CsvRow {
  std::vector<std::string> cells;  ///< without blanks at their ends
  std::size_t lines = 1;           ///< that it takes: quotes keep line ends together as well
  bool whole = true;               ///< false: a quote has no end
};

/// The row that begins at `at`, which moves to the beginning of the next one, or the text's end.
CsvRow read_csv_row(std::string_view text, std::size_t& at, char separator = ',');

}  // namespace grader
