/// @file
/// Text inside of CSV (RFC 4180), as spreadsheets and learning platforms read it.
#pragma once
#include <string>

namespace grader {

/// A cell, in quotes where it needs them. One that a spreadsheet would take for a formula begins with an apostrophe: names come
/// from students' files.
std::string csv_cell(std::string text);

}  // namespace grader
