/// @file
/// Ranks the students of a class who have all points, by the kernels' time in the lab's longest case. Without
/// measured times, the student who had all points first ranks first.
#pragma once
#include <map>

#include "build/toolchain.hpp"
#include "course/counted_board.hpp"
#include "course/course.hpp"

namespace grader {

/// The best attempt of a student. Only students with all points are ranked.
struct Placing {
  int rank = 0;  ///< from 1; of equally fast attempts the earlier ranks first
  std::string student, nickname;
  int attempt = 1;
  double time_s = 0;        ///< time of the kernels
  double to_reference = 0;  ///< ratio to the reference's time; 0 if there is none
  std::string received_at;
  /// The strictest threshold that the attempt reached, as an index of Leaderboard::thresholds. No value if it
  /// reached none.
  std::optional<std::size_t> threshold;
};

/// Whether a grading is a grading of this kit that gave all points.
bool has_all_points(const Grading& grading);

/// A goal on the board: a reference of the class file, which is graded on this machine in the same way as
/// hand-ins.
struct Reference {
  std::string name;
  Grading grading;
};

struct Leaderboard {
  bool timed = false;
  std::string case_id;             ///< the timed case
  std::string time_source;         ///< Profile::source
  double reference_s = 0;          ///< the solution's time on the same GPU; 0 if it was not measured
  std::vector<double> thresholds;  ///< multiples of reference_s, the loosest first
  std::vector<Placing> placings;   ///< sorted by rank
  struct Line {
    std::string name;
    double time_s = 0;
  };
  std::optional<CountedBoard> counted;
  std::vector<Line> lines;   ///< the references with all points, by time; empty unless times are ranked
  std::size_t students = 0;  ///< number of students who handed something in
  /// The ranks of the first placings after a hand-in that changed one of them. Rank 0: not on the board yet.
  struct Moment {
    std::string at;
    std::vector<int> ranks;
  };
  static constexpr std::size_t followed =
      12;  ///< number of placings drawn, since more lines can't be distinguished
  std::vector<Moment> history;
};

/// @param nicknames by student; a student without a nickname is not shown
/// @param solution the solution's grading on the same machine, or null
/// @param references the references of the class file
Leaderboard leaderboard(const Lab& lab, const ClassFile& course, const std::vector<GradedAttempt>& attempts,
                        const std::map<std::string, std::string>& nicknames, const Grading* solution,
                        const std::vector<Reference>& references = {});

/// Makes the board with the nicknames of a class: those of its file, those that students chose, and made ones
/// (nicknames.hpp).
Leaderboard class_board(const Kit& kit, const Lab& lab, const ClassFile& course,
                        const std::vector<GradedAttempt>& attempts, const Grading* solution,
                        const std::vector<Reference>& references);

/// Grades the solution in the same way as hand-ins. No value if the kit has no solution, or this machine
/// can't grade it.
/// @param lab the lab with the class's sizes (with_drawn_sizes())
std::optional<Grading> reference_grading(const Kit& kit, const Toolchain& toolchain, const Lab& lab,
                                         int level, Backend backend);

/// Grades the references of the class file. @param lab the lab with the class's sizes
/// @param solution the result of reference_grading()
/// @param remarks receives a sentence for each reference that does not have all points
std::vector<Reference> graded_references(const Kit& kit, const Toolchain& toolchain, const Lab& lab,
                                         const CourseOptions& options, const std::optional<Grading>& solution,
                                         std::vector<std::string>& remarks);

}  // namespace grader
