/// @file
/// Reads the students of a class from a CSV file with a head, as a spreadsheet or a learning platform exports
/// it:
///
///     id,number,name,email,group,extension_hours,deadline
///     ada,12345,"Lovelace, Ada",ada@example.org,A,48,
///     bob,12346,Bob,,B,,2030-02-07T23:59:00+01:00
///
/// Only `id` (or username, login, student) is required. A name may be split into "first name" and "last
/// name"; the group's column may be named "groups" or "section". `number` (or user id, identifier,
/// participant, sid) is the platform's number of the student. These columns identify the owner of a hand-in
/// (identity.hpp). A deadline here overrides the class's. Other columns are ignored. The separator is the one
/// that the head uses: comma, semicolon or tab. Quoting follows RFC 4180.
#pragma once
#include "course/class_file.hpp"

namespace grader {

/// @throws Error (usage) with file and line
std::map<std::string, Student> read_roster(const fs::path& file);

/// "123" for Moodle's "Participant 123" in any language. Other texts are returned unchanged.
std::string participant_number(const std::string& identifier);

}  // namespace grader
