/// @file
/// A class's results as a page for the instructor: a table of students to sort and filter; the distribution of marks;
/// the parts and cases that fail most, and the most frequent findings; run times with the reference and the limit;
/// pairs that are more alike than chance explains; the leaderboard with the students' names; and a list of points
/// that need a person's attention.
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
  std::string made_at;                          ///< time when the page was made, UTC
  Backend backend = Backend::emu;               ///< the backend whose time limits the page shows
  const Grading* reference = nullptr;           ///< the solution's grading on the same machine
  const ClassSimilarity* similarity = nullptr;  ///< null: hand-ins were not compared
  const Leaderboard* board = nullptr;
  std::vector<std::string> remarks = {};  ///< FoundHandIns::remarks
};

std::string class_page(const ClassReport& report);

}  // namespace grader
