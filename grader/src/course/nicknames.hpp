/// @file
/// Names under which students appear to others. A nickname comes from the class file, or from the file nickname.txt
/// of the hand-in; else it is made from a secret, so that the student's id does not reveal it.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "course/class_file.hpp"
#include "workspace/submission.hpp"

namespace grader {

/// By student. Chosen nicknames are printable, at most 24 characters long, distinct without regard to case, and hold
/// neither an id nor a word of a name of the class; an invalid choice is replaced by a made one. Only students with
/// an empty nickname in the class file are left out.
/// @param chosen the students' choices, by student
std::map<std::string, std::string> nicknames(const ClassFile& course,
                                             const std::vector<std::string>& students,
                                             const std::map<std::string, std::string>& chosen,
                                             const std::string& secret);

/// The file of a hand-in that holds the student's choice.
inline constexpr const char* nickname_file = "nickname.txt";
/// The first line of that file; empty without one.
std::string nickname_in(const std::vector<SubmissionFile>& handed_in);

}  // namespace grader
