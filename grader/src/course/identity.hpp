/// @file
/// Finds the student of the class for each person that a platform names.
///
/// A platform's number, login or e-mail address identifies the student of the class who has it as `number`,
/// `email` or `id`. If a platform's number equals an `id`, it counts only if no name contradicts it.
/// Otherwise the name identifies the student, if exactly one student and one person have it: "Lovelace, Ada",
/// "Ada Lovelace" and Canvas's "lovelaceada" are one name. The id of a person outside the class is the name
/// or login; if two persons have the same one, the platform's number is appended.
#pragma once
#include <map>
#include <vector>

#include "course/class_file.hpp"
#include "course/platform_name.hpp"

namespace grader {

/// The id of each person, in order. Two persons get different ids if their numbers differ, unless the class
/// file gives both the same. Persons without numbers are distinguished by their logins, and without both by
/// their names. An id is safe as a file name.
std::vector<std::string> ids_of(const std::vector<Person>& people,
                                const std::map<std::string, Student>& students);

/// A key that distinguishes a person from all other persons of a platform.
std::string key_of(const Person& person);

}  // namespace grader
