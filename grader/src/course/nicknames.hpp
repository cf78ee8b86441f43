/// @file
/// Names under which students appear to others. A nickname comes from the class file, or from the file
/// nickname.txt of the hand-in. Otherwise it is made from a secret, so the student's id does not reveal it.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "course/class_file.hpp"
#include "workspace/submission.hpp"

namespace grader {

/// Nicknames by student. A chosen nickname must be printable, at most 24 characters long, distinct without
/// regard to case, and must contain neither an id nor a word of a name of the class. A made one replaces an
/// invalid choice. Only students with an empty nickname in the class file are left out.
/// @param chosen the students' choices, by student
std::map<std::string, std::string> nicknames(const ClassFile& course,
                                             const std::vector<std::string>& students,
                                             const std::map<std::string, std::string>& chosen,
                                             const std::string& secret);

/// The file of a hand-in that holds the student's choice.
inline constexpr const char* nickname_file = "nickname.txt";
/// The first line of that file. Empty if the hand-in has no such file.
std::string nickname_in(const std::vector<SubmissionFile>& handed_in);

}  // namespace grader
