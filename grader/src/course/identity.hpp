/// @file
/// Identifies the student that a platform's person is.
///
/// The platform's number, login or e-mail address identify a student of the class who has it as `number`, `email` or
/// `id`. A platform's number that equals an `id` counts only where no other name contradicts it. Else the name
/// identifies the student, where exactly one student and one person have it: "Lovelace, Ada", "Ada Lovelace" and
/// Canvas's "lovelaceada" are one name. A person outside the class is called by name or login; for two persons with
/// one name the platform's number is appended.
#pragma once
#include <map>
#include <vector>

#include "course/class_file.hpp"
#include "course/platform_name.hpp"

namespace grader {

/// The id of each person, in order. Persons with different numbers (without numbers, logins; without both, names) get
/// different ids, unless the class's file says otherwise. An id is safe as a file name.
std::vector<std::string> ids_of(const std::vector<Person>& people,
                                const std::map<std::string, Student>& students);

/// A key that distinguishes a person from all others of a platform.
std::string key_of(const Person& person);

}  // namespace grader
