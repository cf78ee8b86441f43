// One thread first reads all hand-ins, which is quick. The executor then does the slow grading. Each attempt
// is recorded in one transaction.
#include "course/course.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/files.hpp"
#include "base/sha256.hpp"
#include "base/utc.hpp"
#include "course/assemble.hpp"
#include "course/hand_in_files.hpp"
#include "course/nicknames.hpp"
#include "course/regrade.hpp"
#include "course/secret.hpp"
#include "process/process.hpp"

namespace grader {
namespace {

struct ReadIn {
  Assembled assembled;
  std::string nickname;
  std::string failure = {};  ///< why it is not graded, if the kit could not read it
};

/// An unreadable hand-in is graded as the lab's own files, in which every blank is empty.
ReadIn read(const LevelForm& form, const HandIn& hand_in) {
  try {
    HandedInFiles read = read_hand_in(hand_in);
    ReadIn out{assemble(form, read.files, hand_in.paths.front()), nickname_in(read.files)};
    if (out.assembled.lacks_files && !read.others.empty())
      read.notes.push_back(
          fmt::format("Not read, since no source has such a name: {}.", list_of(read.others)));
    out.assembled.notes.insert(out.assembled.notes.end(), read.notes.begin(), read.notes.end());
    return out;
  } catch (const Error& e) {
    ReadIn nothing{assemble(form, {}, hand_in.paths.front()), ""};
    // A hand-in that was removed meanwhile must not be graded as an empty one.
    const bool there = std::all_of(hand_in.paths.begin(), hand_in.paths.end(), [](const fs::path& path) {
      std::error_code gone;
      return fs::exists(fs::symlink_status(path, gone));
    });
    if (e.kind() == ErrorKind::usage && there)
      nothing.assembled.notes = {e.what()};
    else
      nothing.failure = e.what();
    return nothing;
  }
}

/// The work item for a hand-in. The files are read again when an executor takes the item. `form` and
/// `hand_in` must outlive the item.
WorkItem item_of(std::string id, Submission&& read_in, const LevelForm& form, const HandIn& hand_in) {
  WorkItem item{std::move(id), std::move(read_in), {}, hand_in.attempt};
  item.read = [&form, &hand_in, sha256 = item.submission.sha256] {
    ReadIn read_again = read(form, hand_in);
    Submission& again = read_again.assembled.submission;
    if (!read_again.failure.empty()) throw Error(ErrorKind::environment, read_again.failure);
    if (again.sha256 != sha256)
      throw Error(ErrorKind::environment,
                  fmt::format("{} was changed while the class was graded.", shown(hand_in.paths.front())),
                  "give the same command again: it resumes where it stopped");
    return std::move(again);
  };
  return item;
}

HandedIn key_of(const CourseOptions& o, const HandIn& hand_in) {
  return {name_of_class(o.course, o.folder), hand_in.student, hand_in.attempt, hand_in.received_at};
}

void record_due_dates(const Lab& lab, const CourseOptions& o, const std::set<std::string>& students,
                      Records& records) {
  std::map<std::string, std::string> due_at;
  for (const std::string& student : students)
    if (const auto moment = due(o.course, student)) due_at[student] = utc_text(*moment);
  records.set_due(name_of_class(o.course, o.folder), lab.id, o.course.level, due_at);
}

/// The same work has the same id in each run of the same command, so an executor recognises work that it
/// began earlier.
std::string id_of(const HandedIn& key, const Submission& submission, Backend backend) {
  Sha256 sha;
  for (const std::string& word :
       {key.course, key.student, std::to_string(key.attempt), key.received_at, submission.lab->id,
        std::to_string(submission.level), std::string(to_string(backend)), submission.sha256})
    sha.update(fmt::format("{} {}\n", word.size(), word));
  return sha.hex_digest().substr(0, 32);
}

/// Whether both are the same grading. An executor may return a grading again that was recorded before the
/// command was killed.
bool is_recorded(const std::optional<Grading>& before, const Grading& now) {
  return before && before->started_at == now.started_at && before->total_s == now.total_s &&
         before->device == now.device;
}

bool is_last_of_student(const std::vector<GradedAttempt>& attempts, std::size_t i) {
  return i + 1 == attempts.size() || attempts[i + 1].hand_in.student != attempts[i].hand_in.student;
}

/// Whether no other attempt of the student has more points in the records. Of attempts with equal points, the
/// first is the best.
bool is_best_of_student(const std::vector<GradedAttempt>& attempts, std::size_t i) {
  const GradedAttempt& own = attempts[i];
  const auto is_his = [&](std::size_t k) {
    return k < attempts.size() && attempts[k].hand_in.student == own.hand_in.student;
  };
  std::size_t k = i;
  while (k > 0 && is_his(k - 1)) --k;  // a student's attempts are adjacent
  for (; is_his(k); ++k) {
    const double more = attempts[k].grading.points - own.grading.points;
    if (attempts[k].was_recorded && (more > 0 || (more == 0 && k < i))) return false;
  }
  return own.was_recorded;
}

/// Decides by the records as they were before the first grading. @param again whether attempts are regraded
bool is_to_be_graded(const std::vector<GradedAttempt>& attempts, std::size_t i, const Lab& lab,
                     const CourseOptions& o, const Records& records, bool again) {
  const GradedAttempt& attempt = attempts[i];
  if (!attempt.grading.lab.empty() && !attempt.was_recorded) return false;  // it could not be read
  const bool known = attempt.was_recorded;
  switch (o.which) {
    case Which::all:
      return !known || again;
    case Which::latest:
      return is_last_of_student(attempts, i) && (!known || again);
    case Which::best:
      return is_best_of_student(attempts, i);
    case Which::changed:
      return !known &&
             records.graded_before(key_of(o, attempt.hand_in), lab.id, o.course.level, o.backend, "");
    case Which::failed:
      return !known || again || attempt.grading.points < attempt.grading.max_points;
  }
  return false;
}

std::set<std::string> students_of(const ClassFile& course, const std::vector<HandIn>& hand_ins) {
  std::set<std::string> out;
  for (const auto& [id, student] : course.students) out.insert(id);
  for (const HandIn& hand_in : hand_ins) out.insert(hand_in.student);
  return out;
}

Regrade regrade_of(const Kit& kit, const Lab& lab, const CourseOptions& o) {
  return {kit, o.regrade,
          fmt::format("{}\n{} {} {}", name_of_class(o.course, o.folder), lab.id, o.course.level,
                      to_string(o.backend)),
          o.regrade ? results_state(kit, lab, class_secret(kit, lab, o)) : ""};
}

}  // namespace

GradedClass grade_course(const Kit& kit, const Lab& lab, Records& records, const CourseOptions& o,
                         Executor& executor, const CourseProgress& progress) {
  FoundHandIns found = find_hand_ins(o.folder, o.others, o.course);
  const std::set<std::string> students = students_of(o.course, found.all);
  need_known_students(o.course.comments_file, o.course.comments, students);
  record_due_dates(lab, o, students, records);
  return grade_hand_ins(kit, lab, records, o, std::move(found), executor, progress);
}

GradedClass grade_hand_ins(const Kit& kit, const Lab& lab, Records& records, const CourseOptions& o,
                           FoundHandIns found, Executor& executor, const CourseProgress& progress) {
  std::vector<GradedAttempt> attempts;
  for (HandIn& hand_in : found.all) attempts.push_back({std::move(hand_in), {}, {}, {}, false});
  const LevelForm form = read_form(kit, lab, o.course.level);
  std::vector<WorkItem> items;
  std::vector<GradedAttempt*> of_item;
  std::vector<Submission> read_in(attempts.size());
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    if (interrupted()) throw Error(ErrorKind::environment, "Interrupted.");
    GradedAttempt& attempt = attempts[i];
    ReadIn own = read(form, attempt.hand_in);
    attempt.nickname = std::move(own.nickname);
    attempt.notes = std::move(own.assembled.notes);
    if (!attempt.hand_in.note.empty()) attempt.notes.insert(attempt.notes.begin(), attempt.hand_in.note);
    auto before = records.graded_before(key_of(o, attempt.hand_in), lab.id, o.course.level, o.backend,
                                        own.assembled.submission.sha256);
    if (before && is_graded(*before)) {
      attempt.grading = std::move(*before);
      attempt.was_recorded = true;
    }
    if (!own.failure.empty())
      attempt.grading = not_graded(own.assembled.submission, lab.id, o.backend, "", own.failure);
    read_in[i] = std::move(own.assembled.submission);
    read_in[i].files = {};  // it is read again when its turn comes
  }
  const Regrade regrade = regrade_of(kit, lab, o);
  const auto id = [&](std::size_t i) { return id_of(key_of(o, attempts[i].hand_in), read_in[i], o.backend); };
  std::vector<std::size_t> asked;
  for (std::size_t i = 0; i < attempts.size(); ++i)
    if (is_to_be_graded(attempts, i, lab, o, records, regrade.wants(id(i)))) asked.push_back(i);
  for (const std::size_t i : asked) {
    GradedAttempt& attempt = attempts[i];
    attempt.was_recorded = false;
    items.push_back(item_of(id(i), std::move(read_in[i]), form, attempt.hand_in));
    of_item.push_back(&attempt);
  }
  int done = 0;
  executor.grade_all(items, [&](std::size_t item, Grading grading) {
    GradedAttempt& attempt = *of_item[item];
    grading.notes.insert(grading.notes.begin(), attempt.notes.begin(), attempt.notes.end());
    const HandedIn key = key_of(o, attempt.hand_in);
    const auto newest =
        records.graded_before(key, lab.id, o.course.level, o.backend, items[item].submission.sha256);
    if (!is_recorded(newest, grading)) records.add(grading, key);
    regrade.add(items[item].id);
    attempt.grading = std::move(grading);
    if (progress) progress(++done, static_cast<int>(items.size()));
  });
  regrade.finish();
  // Remove the attempts that were neither selected now nor graded earlier.
  attempts.erase(std::remove_if(attempts.begin(), attempts.end(),
                                [](const GradedAttempt& attempt) { return attempt.grading.lab.empty(); }),
                 attempts.end());
  return {std::move(attempts), std::move(found.remarks), regrade.is_resumed()};
}

std::vector<HandIn> hand_ins_of(const std::vector<GradedAttempt>& attempts) {
  std::vector<HandIn> out;
  for (const GradedAttempt& attempt : attempts) out.push_back(attempt.hand_in);
  return out;
}

std::string name_of_class(const ClassFile& course, const fs::path& folder) {
  if (!course.name.empty()) return course.name;
  return (fs::absolute(folder).lexically_normal() / "").parent_path().string();  // DIR and DIR/ are one class
}

std::string class_secret(const Kit& kit, const Lab& lab, const CourseOptions& o) {
  const std::string own = kept_secret(kit.state() / class_secret_file);
  return sha256_hex(
      fmt::format("{}\n{}\n{} {}", own, name_of_class(o.course, o.folder), lab.id, o.course.level));
}

std::vector<Mark> marks(const ClassFile& course, const std::vector<GradedAttempt>& attempts) {
  std::map<std::string, Mark> by_student;
  for (const auto& [id, student] : course.students) {
    Mark& mark = by_student[id];
    mark.student = id;
    mark.name = student.name;
    mark.group = student.group;
  }
  double max_points = 0;
  for (const GradedAttempt& attempt : attempts) {
    Mark& mark = by_student[attempt.hand_in.student];
    mark.student = attempt.hand_in.student;
    mark.number = attempt.hand_in.number;
    ++mark.attempts;
    if (!is_graded(attempt.grading)) continue;
    max_points = std::max(max_points, attempt.grading.max_points);
    const double share =
        share_left(course, mark.student, attempt.hand_in.received_at, attempt.hand_in.marked_late);
    const bool better =
        mark.counted == 0 || course.latest_counts || attempt.grading.points * share > mark.mark();
    if (!better) continue;
    mark.counted = attempt.hand_in.attempt;
    mark.points = attempt.grading.points;
    mark.share = share;
    mark.verdict = attempt.grading.verdict;
    mark.received_at = attempt.hand_in.received_at;
  }
  for (const Comment& comment : course.comments) {
    const auto found = by_student.find(comment.student);
    if (found == by_student.end()) continue;  // none of the student's attempts was selected
    found->second.added += comment.points;
    std::string& text = found->second.comment;
    if (!comment.text.empty()) text += (text.empty() ? "" : " ") + comment.text;
  }
  std::vector<Mark> out;
  for (auto& [id, mark] : by_student) {
    mark.max_points = max_points;
    out.push_back(std::move(mark));
  }
  return out;
}

void add_answers(std::vector<Mark>& marks, const std::vector<GradedAttempt>& attempts, const Records& records,
                 const Lab& lab, int level, double points) {
  for (Mark& mark : marks) {
    if (points > 0) mark.answer_points = 0;
    mark.max_points += points;
    const GradedAttempt* const counted = counted_attempt(attempts, mark);
    if (counted == nullptr) continue;
    for (const AnsweredQuestions& answered : records.answers_of(mark.student, lab.id, level)) {
      if (answered.sources_sha256 != counted->grading.sources_sha256) continue;
      mark.answers = {answered.right, answered.questions};
      if (points > 0)
        mark.answer_points =
            points * static_cast<double>(answered.right) / static_cast<double>(answered.questions);
      break;
    }
  }
}

const GradedAttempt* counted_attempt(const std::vector<GradedAttempt>& attempts, const Mark& mark) {
  const auto place = [](const HandIn& one) { return std::tie(one.student, one.attempt); };
  const auto wanted = std::tie(mark.student, mark.counted);
  const auto found =
      std::lower_bound(attempts.begin(), attempts.end(), wanted,
                       [&](const GradedAttempt& one, const auto& key) { return place(one.hand_in) < key; });
  return found != attempts.end() && place(found->hand_in) == wanted ? &*found : nullptr;
}

}  // namespace grader
