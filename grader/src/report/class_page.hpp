/// @file
/// A class's results as a page for the instructor: the students, to sort and to filter; how the marks are distributed; which
/// parts and cases fail most and what is found most often; how long the runs take beside the reference and the limit; who is
/// more alike than chance makes them; the leaderboard with the students' names; and what somebody has to look at.
#pragma once
#include <string>
#include <vector>

#include "course/compare.hpp"
#include "course/leaderboard.hpp"

namespace grader {

struct ClassReport {
  const Lab& lab;
  const std::vector<GradedAttempt>& attempts;
  const std::vector<Mark>& marks;
  std::string made_at;                          ///< UTC
  Backend backend = Backend::emu;               ///< whose time limits count
  const Grading* reference = nullptr;           ///< the solution's, on the same machine
  const ClassSimilarity* similarity = nullptr;  ///< null: hand-ins were not compared
  const Leaderboard* board = nullptr;
  std::vector<std::string> remarks = {};  ///< of FoundHandIns
};

std::string class_page(const ClassReport& report);

}  // namespace grader
