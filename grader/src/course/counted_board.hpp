/// @file
/// The board's second ranking, by the work of the kernels as the emulation counts it. It needs no GPU, and
/// other programs on the machine don't change it.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "course/course.hpp"
#include "model/grading.hpp"

namespace grader {

struct Reference;

/// The best attempt of a student with all points: the one with the fewest sectors. Among equal ones, bank
/// conflicts and then barriers decide.
struct CountedPlacing {
  int rank = 0;  ///< from 1; equal counts share a rank
  std::string student, nickname;
  KernelCounts counts;
};

struct CountedBoard {
  std::string case_id;
  std::vector<CountedPlacing> placings;  ///< by rank, then by nickname
  struct Line {
    std::string name;
    KernelCounts counts;
  };
  std::vector<Line> lines;  ///< references with all points, or else the solution; sorted by counts
};

/// Ranks by a visible case that all attempts with counts have. No value if no attempt has counts, as in older
/// gradings and in labs without `counts`.
/// @param right the attempts with all points that are not too late
/// @param nicknames nicknames by student; all students of `right` must have one
/// @param solution the solution's grading, or null
std::optional<CountedBoard> counted_board(const Lab& lab, const std::vector<const GradedAttempt*>& right,
                                          const std::map<std::string, std::string>& nicknames,
                                          const Grading* solution, const std::vector<Reference>& references);

}  // namespace grader
