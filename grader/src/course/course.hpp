/// @file
/// A class, graded: every attempt that was handed in, by an executor, each recorded as soon as it is done. What the
/// records hold already of the same files is not graded again, so that a run which was stopped, by Ctrl-C or by a power
/// cut, goes on where it was.
#pragma once
#include <functional>

#include "course/class_file.hpp"
#include "course/executor.hpp"
#include "course/hand_ins.hpp"
#include "records/records.hpp"

namespace grader {

/// Which attempts are graded.
enum class Which {
  all,
  latest,   ///< the last one of each student
  best,     ///< again the one of each student that has the most points
  changed,  ///< those whose files are others than when they were graded
  failed    ///< again those that lost points
};

struct CourseOptions {
  fs::path folder;
  std::vector<fs::path> others;  ///< in it, and no hand-ins
  ClassFile course;
  Which which = Which::all;
  bool regrade = false;  ///< also what was graded before
  Backend backend = Backend::emu;
};

/// An attempt, and what became of it.
struct GradedAttempt {
  HandIn hand_in;
  std::vector<std::string> notes;  ///< of assemble(), or why it can't be read
  std::string nickname;            ///< that it asks for
  Grading grading;
  bool was_recorded = false;  ///< in an earlier run
};

struct GradedClass {
  std::vector<GradedAttempt> attempts;  ///< by student and number, as find_hand_ins() orders them
  std::vector<std::string> remarks;     ///< of FoundHandIns
};

/// One student's result.
struct Mark {
  std::string student, name, number, group;
  int attempts = 0;
  int counted = 0;    ///< the attempt that counts; 0: nothing was handed in, or nothing could be graded
  double points = 0;  ///< of that attempt, before the late rule
  double share = 1;   ///< what the late rule leaves
  double max_points = 0;
  Verdict verdict = Verdict::todo;
  std::string received_at;  ///< as HandIn has it
  double mark() const { return points * share; }
};

/// Called after each attempt, by one thread at a time: how many are done, of how many.
using CourseProgress = std::function<void(int done, int of)>;

/// @throws Error (usage) as find_hand_ins(); (environment) when the records can't be written, and as the executor: what was
///         graded until then is recorded
GradedClass grade_course(const Kit& kit, const Lab& lab, Records& records, const CourseOptions& options,
                         Executor& executor, const CourseProgress& progress);

/// What a class's cases of a lab are drawn from (ClassCases): the same in each run of the same command.
/// @throws Error (environment) as kept_secret()
std::string class_secret(const Kit& kit, const Lab& lab, const CourseOptions& options);

/// One line for each student of the class file and for everybody who handed something in, by id. Attempts whose grading
/// was a fault of the kit don't count.
std::vector<Mark> marks(const ClassFile& course, const std::vector<GradedAttempt>& attempts);

/// The attempt that a mark counts, or null. @param attempts in the order of grade_course()
const GradedAttempt* counted_attempt(const std::vector<GradedAttempt>& attempts, const Mark& mark);

}  // namespace grader
