/// @file
/// Grades a class: an executor grades every attempt, and each is recorded as soon as it is done. An attempt whose
/// files are already graded in the records is skipped, so a run that was interrupted, by Ctrl-C or a power cut,
/// resumes.
#pragma once
#include <algorithm>
#include <functional>

#include "course/class_file.hpp"
#include "course/executor.hpp"
#include "course/hand_ins.hpp"
#include "records/records.hpp"

namespace grader {

/// Which attempts are graded.
enum class Which {
  all,
  latest,   ///< the last attempt of each student
  best,     ///< regrades the attempt of each student with the most points
  changed,  ///< attempts whose files changed since they were graded
  failed    ///< regrades attempts that lost points
};

struct CourseOptions {
  fs::path folder;
  std::vector<fs::path> others;  ///< entries of the folder that are no hand-ins
  ClassFile course;
  Which which = Which::all;
  bool regrade = false;  ///< also attempts that are already graded; an interrupted regrade is resumed
  Backend backend = Backend::emu;
};

/// An attempt and its result.
struct GradedAttempt {
  HandIn hand_in;
  std::vector<std::string> notes;  ///< of assemble(), or why it can't be read
  std::string nickname;            ///< the student's choice
  Grading grading;
  bool was_recorded = false;  ///< in an earlier run
};

struct GradedClass {
  std::vector<GradedAttempt> attempts;  ///< by student and number, in the order of find_hand_ins()
  std::vector<std::string> remarks;     ///< of FoundHandIns
  bool regrade_resumed = false;         ///< some were graded again before the regrade was interrupted
};

std::vector<HandIn> hand_ins_of(const std::vector<GradedAttempt>& attempts);

/// A student's first answers to the questions of `grader ask` on the program that was handed in.
struct GivenAnswers {
  std::size_t right = 0, questions = 0;
  /// More than half are right, which guessing reaches with one student of ten.
  bool knows() const { return 2 * right > questions; }
};

/// One student's result.
struct Mark {
  std::string student, name, number, group;
  int attempts = 0;
  int counted = 0;      ///< number of the attempt that counts; 0: none was handed in, or none could be graded
  double points = 0;    ///< of that attempt, before the late rule
  double share = 1;     ///< remaining share under the late rule
  double added = 0;     ///< by hand, after the late rule
  std::string comment;  ///< by hand, for the student; may be empty
  double max_points = 0;
  Verdict verdict = Verdict::todo;
  std::string received_at;  ///< as HandIn has it
  std::optional<GivenAnswers> answers = {};
  std::optional<double> answer_points =
      {};  ///< for these answers, after the late rule; none: the class counts none
  double mark() const { return std::max(0.0, points * share + answer_points.value_or(0) + added); }
  bool passed_without_knowing() const {
    return counted != 0 && verdict == Verdict::passed && answers && !answers->knows();
  }
};

/// Called after each attempt, by one thread at a time.
using CourseProgress = std::function<void(int done, int of)>;

/// @throws Error (usage) as find_hand_ins() and need_known_students(); (environment) when the records can't be written,
/// and as the executor;         attempts graded before are recorded
GradedClass grade_course(const Kit& kit, const Lab& lab, Records& records, const CourseOptions& options,
                         Executor& executor, const CourseProgress& progress);

/// The same for hand-ins that were found before, perhaps only some of the class's; records no due dates.
GradedClass grade_hand_ins(const Kit& kit, const Lab& lab, Records& records, const CourseOptions& options,
                           FoundHandIns found, Executor& executor, const CourseProgress& progress = {});

/// The name of a class in the records. @param folder of its hand-ins, which names a class without a name
std::string name_of_class(const ClassFile& course, const fs::path& folder);

/// The secret from which a class's cases of a lab are drawn (ClassCases): the same in each run of the same command.
/// @throws Error (environment) as kept_secret()
std::string class_secret(const Kit& kit, const Lab& lab, const CourseOptions& options);

/// One line for each student of the class file and for everyone who handed something in, by id. Gradings that ended
/// with a fault of the kit don't count.
std::vector<Mark> marks(const ClassFile& course, const std::vector<GradedAttempt>& attempts);

/// Adds the recorded answers of each student. The same files give the same questions, so only the first answers on the
/// files of the attempt that counts are added.
/// @param points for all answers right: each mark gets the share of them that is right, and can reach as many more
void add_answers(std::vector<Mark>& marks, const std::vector<GradedAttempt>& attempts, const Records& records,
                 const Lab& lab, int level, double points = 0);

/// The attempt that a mark counts, or null. @param attempts in the order of grade_course()
const GradedAttempt* counted_attempt(const std::vector<GradedAttempt>& attempts, const Mark& mark);

}  // namespace grader
