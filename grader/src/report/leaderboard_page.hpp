/// @file
/// The leaderboard as a page for students, leaderboard.html. It holds nicknames and the times of those who have all points,
/// and nothing else of anybody: no id, no name, no points.
#pragma once
#include <string>

#include "course/leaderboard.hpp"

namespace grader {

/// @param made_at UTC
std::string leaderboard_page(const Lab& lab, const Leaderboard& board, const std::string& made_at);

/// Its table and figures, without a head; for the instructor with the students' ids.
std::string leaderboard_section(const Leaderboard& board, bool with_students);

}  // namespace grader
