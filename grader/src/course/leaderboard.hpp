/// @file
/// Ranks the students of a class who have all points, by the kernels' time in the lab's longest case; without
/// measured times, by who had all points first.
#pragma once
#include <map>

#include "build/toolchain.hpp"
#include "course/counted_board.hpp"
#include "course/course.hpp"

namespace grader {

/// A student's best attempt. Only students with all points have a place.
struct Placing {
  int rank = 0;  ///< from 1; the earlier of equally fast attempts ranks first
  std::string student, nickname;
  int attempt = 1;
  double time_s = 0;        ///< of the kernels
  double to_reference = 0;  ///< ratio to the reference's time; 0: there is none
  std::string received_at;
  /// The strictest threshold reached, an index of Leaderboard::thresholds; none: not even the first.
  std::optional<std::size_t> threshold;
};

/// Whether a grading is one of the kit's that gave all points.
bool has_all_points(const Grading& grading);

/// A line to beat: a reference of the class file, graded on this machine as hand-ins are.
struct Reference {
  std::string name;
  Grading grading;
};

struct Leaderboard {
  bool timed = false;
  std::string case_id;             ///< the timed case
  std::string time_source;         ///< Profile::source
  double reference_s = 0;          ///< the solution's time on the same GPU; 0: it was not measured
  std::vector<double> thresholds;  ///< multiples of reference_s, the loosest first
  std::vector<Placing> placings;   ///< by rank
  struct Line {
    std::string name;
    double time_s = 0;
  };
  std::optional<CountedBoard> counted;
  std::vector<Line> lines;   ///< the references that have all points, where times are ranked, by time
  std::size_t students = 0;  ///< number of students who handed something in
  /// The ranks of the first placings after each hand-in that changed one; 0: not on the board yet.
  struct Moment {
    std::string at;
    std::vector<int> ranks;
  };
  static constexpr std::size_t followed =
      12;  ///< number of placings drawn: more lines can't be distinguished
  std::vector<Moment> history;
};

/// @param nicknames by student; a student without a nickname is not shown
/// @param solution its grading on the same machine, or null @param references of the class file
Leaderboard leaderboard(const Lab& lab, const ClassFile& course, const std::vector<GradedAttempt>& attempts,
                        const std::map<std::string, std::string>& nicknames, const Grading* solution,
                        const std::vector<Reference>& references = {});

/// The same with the nicknames of a class: of its file, chosen, or made (nicknames.hpp).
Leaderboard class_board(const Kit& kit, const Lab& lab, const ClassFile& course,
                        const std::vector<GradedAttempt>& attempts, const Grading* solution,
                        const std::vector<Reference>& references);

/// The solution, graded as hand-ins are; none where the kit has no solution, or it can't be graded here.
/// @param lab with the class's sizes (with_drawn_sizes())
std::optional<Grading> reference_grading(const Kit& kit, const Toolchain& toolchain, const Lab& lab,
                                         int level, Backend backend);

/// The references of the class file. @param lab with the class's sizes @param solution the result of
/// reference_grading() @param remarks receives a sentence for each one that has not all points
std::vector<Reference> graded_references(const Kit& kit, const Toolchain& toolchain, const Lab& lab,
                                         const CourseOptions& options, const std::optional<Grading>& solution,
                                         std::vector<std::string>& remarks);

}  // namespace grader
