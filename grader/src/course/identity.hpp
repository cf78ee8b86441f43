/// @file
/// Which student a person is, whom a platform names.
///
/// The platform's number, the user's name or the e-mail address decide where a student of the class has them: as `number`, `email` or
/// `id`; a platform's number that is somebody's `id` only where no other name speaks against it. Else the name does, where one student alone has it, and one person alone: "Lovelace, Ada", "Ada Lovelace" and Canvas's
/// "lovelaceada" are one name. Who is no student of the class is called by the name, or the user's name; of two persons with one
/// name each has the platform's number after it.
#pragma once
#include <map>
#include <vector>

#include "course/class_file.hpp"
#include "course/platform_name.hpp"

namespace grader {

/// The id of each person, in their order. No two persons with different numbers (or, without numbers, logins; without both,
/// names) have one id, unless the class's file says so. An id is fit for a file's name.
std::vector<std::string> ids_of(const std::vector<Person>& people,
                                const std::map<std::string, Student>& students);

/// What sets a person apart from all others that a platform names.
std::string key_of(const Person& person);

}  // namespace grader
