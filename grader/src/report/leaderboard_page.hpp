/// @file
/// The leaderboard as a page for students, leaderboard.html. It contains only the nicknames and times of students who
/// have all points: no ids, no names, no points.
#pragma once
#include <string>

#include "course/leaderboard.hpp"

namespace grader {

/// @param made_at the time when the page is made, in UTC
std::string leaderboard_page(const Lab& lab, const Leaderboard& board, const std::string& made_at);

/// The table and figures of the leaderboard, without a page around them. For the instructor they contain the
/// students' ids.
std::string leaderboard_section(const Leaderboard& board, bool with_students);

}  // namespace grader
