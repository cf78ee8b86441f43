/// @file
/// Comments and points that a person adds to the grader's results. They are in a CSV file beside the class
/// file, which names it (`comments = "comments.csv"`). Its head names the columns `student` (or `id`),
/// `points` and `comment`; a student may have several lines. This file is read each time that marks are made,
/// so a new grading loses no comment.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "base/filesystem.hpp"

namespace grader {

struct Comment {
  std::string student;  ///< the student's id, as in Student::id
  double points = 0;    ///< added to the mark; may be negative
  std::string text;     ///< for the student; may be empty
  unsigned line = 0;    ///< number of the line in the file
};

/// @throws Error (usage) with file and line
std::vector<Comment> read_comments(const fs::path& file);

/// @param students all ids of the class
/// @throws Error (usage) with file and line for a comment on a student who is not in the class
void need_known_students(const fs::path& file, const std::vector<Comment>& comments,
                         const std::set<std::string>& students);

}  // namespace grader
