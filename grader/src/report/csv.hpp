/// @file
/// Text in CSV (RFC 4180) for spreadsheets and learning platforms.
#pragma once
#include <string>

namespace grader {

/// A cell, quoted if necessary. A cell that a spreadsheet would read as a formula begins with an apostrophe: names
/// come from students' files.
std::string csv_cell(std::string text);

}  // namespace grader
