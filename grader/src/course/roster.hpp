/// @file
/// The students of a class as a spreadsheet or a learning platform exports them: CSV with a head.
///
///     id,number,name,email,group,extension_hours,deadline
///     ada,12345,"Lovelace, Ada",ada@example.org,A,48,
///     bob,12346,Bob,,B,,2030-02-07T23:59:00+01:00
///
/// `id` (or username, login, student) is the only column that must be there; a name may stand in "first name" and "last name", a
/// group in "groups" or "section". `number` (or user id, identifier, participant, sid) is the platform's. Whose a hand-in is
/// follows from these (identity.hpp). A deadline is the student's own instead of the class's. Other columns are passed over. Cells are separated by commas, semicolons or tabs, as the head is; quoting is that of
/// RFC 4180.
#pragma once
#include "course/class_file.hpp"

namespace grader {

/// @throws Error (usage) with file and line
std::map<std::string, Student> read_roster(const fs::path& file);

/// "123" of Moodle's "Participant 123", whatever its language; other numbers as they are.
std::string participant_number(const std::string& identifier);

}  // namespace grader
