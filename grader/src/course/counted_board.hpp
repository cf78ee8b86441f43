/// @file
/// The board's second ranking: what the kernels do, as the emulation counts it. It needs no GPU, and no other program
/// on the machine changes it. If a lab's counts depend on the drawn inputs, they differ a little between attempts.
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

/// Ranks by the visible case whose counts the most attempts have, and leaves out the others. None where no attempt has
/// counts: older gradings have none, nor have labs without `counts`.
/// @param right the attempts with all points that count @param nicknames by student: all of `right` have one
/// @param solution its grading, or null
std::optional<CountedBoard> counted_board(const Lab& lab, const std::vector<const GradedAttempt*>& right,
                                          const std::map<std::string, std::string>& nicknames,
                                          const Grading* solution, const std::vector<Reference>& references);

}  // namespace grader
