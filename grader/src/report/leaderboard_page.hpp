/// @file
/// The leaderboard as a page for students, leaderboard.html. It only holds nicknames and times of students who have
/// all points: no id, no name, no points.
#pragma once
#include <string>

#include "course/leaderboard.hpp"

namespace grader {

/// @param made_at UTC
std::string leaderboard_page(const Lab& lab, const Leaderboard& board, const std::string& made_at);

/// Its table and figures, without a head; with the students' ids for the instructor.
std::string leaderboard_section(const Leaderboard& board, bool with_students);

}  // namespace grader
