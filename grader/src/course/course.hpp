/// @file
/// Grades a class: an executor grades every attempt, and each grading is recorded as soon as it is complete.
/// An attempt is skipped if the records have a grading of the same files, so a run that was interrupted by
/// Ctrl-C or a power cut resumes.
#pragma once
#include <algorithm>
#include <functional>

#include "course/class_file.hpp"
#include "course/executor.hpp"
#include "course/hand_ins.hpp"
#include "records/records.hpp"

namespace grader {

/// The attempts that are graded.
enum class Which {
  all,
  latest,   ///< the last attempt of each student
  best,     ///< regrades the attempt of each student with the most points
  changed,  ///< attempts whose files changed since they were graded
  failed    ///< regrades attempts that lost points
};

struct CourseOptions {
  fs::path folder;
  std::vector<fs::path> others;  ///< entries of the folder that are not hand-ins
  ClassFile course;
  Which which = Which::all;
  bool regrade = false;  ///< whether to grade all attempts again; resumes an interrupted regrade
  Backend backend = Backend::emu;
};

/// An attempt and its result.
struct GradedAttempt {
  HandIn hand_in;
  std::vector<std::string> notes;  ///< the notes of assemble(), or the reason why the hand-in can't be read
  std::string nickname;            ///< the student's choice
  Grading grading;
  bool was_recorded = false;  ///< whether an earlier run recorded it
};

struct GradedClass {
  std::vector<GradedAttempt> attempts;  ///< sorted by student and number, as find_hand_ins() returns them
  std::vector<std::string> remarks;     ///< FoundHandIns::remarks
  bool regrade_resumed = false;         ///< whether this run resumed a regrade that was interrupted
};

std::vector<HandIn> hand_ins_of(const std::vector<GradedAttempt>& attempts);

/// A student's first answers to the questions of `grader ask` about the program that was handed in.
struct GivenAnswers {
  std::size_t right = 0, questions = 0;
  /// Whether more than half of the answers are right, which one student in ten reaches by guessing.
  bool knows() const { return 2 * right > questions; }
};

/// The result of one student.
struct Mark {
  std::string student, name, number, group;
  int attempts = 0;
  int counted = 0;      ///< number of the attempt that counts; 0: no attempt was handed in or could be graded
  double points = 0;    ///< points of that attempt, before the late rule
  double share = 1;     ///< remaining share under the late rule
  double added = 0;     ///< points that a person added, after the late rule
  std::string comment;  ///< a person's comment for the student; may be empty
  double max_points = 0;
  Verdict verdict = Verdict::todo;
  std::string received_at;  ///< time of arrival, as in HandIn
  std::optional<GivenAnswers> answers = {};
  std::optional<double> answer_points =
      {};  ///< points for the answers, after the late rule; no value if the class gives none
  double mark() const { return std::max(0.0, points * share + answer_points.value_or(0) + added); }
  bool passed_without_knowing() const {
    return counted != 0 && verdict == Verdict::passed && answers && !answers->knows();
  }
};

/// Called after each attempt, by one thread at a time, with the number of graded attempts and that of all
/// attempts.
using CourseProgress = std::function<void(int done, int of)>;

/// @throws Error (usage) as find_hand_ins() and need_known_students(); (environment) when the records can't
///   be written,
///         and as the executor. Attempts that were graded before the exception are recorded
GradedClass grade_course(const Kit& kit, const Lab& lab, Records& records, const CourseOptions& options,
                         Executor& executor, const CourseProgress& progress);

/// Does the same for hand-ins that were found earlier, perhaps only some of the class's. Records no due
/// dates.
GradedClass grade_hand_ins(const Kit& kit, const Lab& lab, Records& records, const CourseOptions& options,
                           FoundHandIns found, Executor& executor, const CourseProgress& progress = {});

/// The name of a class in the records. @param folder the folder of its hand-ins, whose name is used if the
/// class has none
std::string name_of_class(const ClassFile& course, const fs::path& folder);

/// The secret from which a class's cases of a lab are drawn (ClassCases). It is the same in each run of the
/// same command.
/// @throws Error (environment) as kept_secret()
std::string class_secret(const Kit& kit, const Lab& lab, const CourseOptions& options);

/// One mark for each student of the class file and for each other student who handed something in, by id. A
/// grading that ended with a fault of the kit does not count.
std::vector<Mark> marks(const ClassFile& course, const std::vector<GradedAttempt>& attempts);

/// Adds the recorded answers of each student. The same files give the same questions, so only the first
/// answers about the files of the attempt that counts are added.
/// @param points for right answers to all questions: a mark grows by the share of them that is right, and so
///   does its maximum
void add_answers(std::vector<Mark>& marks, const std::vector<GradedAttempt>& attempts, const Records& records,
                 const Lab& lab, int level, double points = 0);

/// The attempt that counts for a mark, or null. @param attempts in the order of grade_course()
const GradedAttempt* counted_attempt(const std::vector<GradedAttempt>& attempts, const Mark& mark);

}  // namespace grader
