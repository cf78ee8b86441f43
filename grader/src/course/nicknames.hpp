/// @file
/// What students are called where others see them. A nickname stands in the class file, or the student chose it in a file
/// nickname.txt of the hand-in; else one is made from a secret, so that nobody finds out whose it is from the student's id.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "course/class_file.hpp"
#include "course/hand_ins.hpp"

namespace grader {

/// By student. Chosen ones are printable, of at most 24 characters, different from each other without regard to case, and
/// hold neither an id nor a word of a name of anybody in the class; a choice that breaks this is replaced by a made one.
/// Nobody is left out but those whom the class file gives an empty nickname.
/// @param chosen what students wrote, by student
std::map<std::string, std::string> nicknames(const ClassFile& course,
                                             const std::vector<std::string>& students,
                                             const std::map<std::string, std::string>& chosen,
                                             const std::string& secret);

/// The first line of a hand-in's nickname.txt; empty without one.
std::string nickname_in(const std::vector<SubmissionFile>& handed_in);

}  // namespace grader
