/// @file
/// The students of a class as a spreadsheet or a learning platform exports them: CSV with a head.
///
///     id,name,group,extension_hours,deadline
///     ada,"Lovelace, Ada",A,48,
///     bob,Bob,B,,2030-02-07T23:59:00+01:00
///
/// `id` (or username, login, student) is as the folders and archives name them, and the only column that must be there; a name may
/// stand in "first name" and "last name", a group in "groups" or "section". A deadline is the student's own instead of the
/// class's. Other columns are passed over. Cells are separated by commas, semicolons or tabs, as the head is; quoting is that of
/// RFC 4180.
#pragma once
#include "course/class_file.hpp"

namespace grader {

/// @throws Error (usage) with file and line
std::map<std::string, Student> read_roster(const fs::path& file);

}  // namespace grader
