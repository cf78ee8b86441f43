// Reading is quick and done first, by one thread; grading is slow and done by the workers; recording is one transaction an
// attempt, under a mutex.
#include "course/course.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <tuple>

#include "base/files.hpp"
#include "base/utc.hpp"
#include "course/assemble.hpp"

namespace grader {
namespace {

/// An attempt that is ready to be graded.
struct Ready {
  GradedAttempt* attempt = nullptr;
  Submission submission;
};

/// What can't be read is graded as nothing: the lab's own files, with every blank.
Assembled read(const Kit& kit, const Lab& lab, int level, const HandIn& hand_in) {
  try {
    return assemble(kit, lab, level, read_hand_in(hand_in), hand_in.paths.front());
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::usage) throw;
    Assembled nothing = assemble(kit, lab, level, {}, hand_in.paths.front());
    nothing.notes = {e.what()};
    return nothing;
  }
}

/// What the class is called on record.
std::string name_of(const CourseOptions& o) {
  return o.course.name.empty() ? fs::absolute(o.folder).lexically_normal().string() : o.course.name;
}

HandedIn key_of(const CourseOptions& o, const HandIn& hand_in) {
  return {name_of(o), hand_in.student, hand_in.attempt, hand_in.received_at};
}

void record_due_dates(const Lab& lab, const CourseOptions& o, const std::vector<GradedAttempt>& attempts,
                      Records& records) {
  std::map<std::string, std::string> due_at;
  const auto add = [&](const std::string& student) {
    if (const auto moment = due(o.course, student)) due_at[student] = utc_text(*moment);
  };
  for (const auto& [id, student] : o.course.students) add(id);
  for (const GradedAttempt& attempt : attempts) add(attempt.hand_in.student);
  records.set_due(name_of(o), lab.id, o.course.level, due_at);
}

/// The workers, and what they share.
class Workers {
 public:
  Workers(const Kit& kit, const Toolchain& toolchain, Records& records, const CourseOptions& options,
          const CourseProgress& progress, std::vector<Ready>& ready)
      : kit_(kit),
        toolchain_(toolchain),
        records_(records),
        options_(options),
        progress_(progress),
        ready_(ready) {}

  void run() {
    std::vector<std::thread> threads;
    const auto count =
        std::min<std::size_t>(static_cast<std::size_t>(std::max(1, options_.workers)), ready_.size());
    for (std::size_t i = 0; i < count; ++i) threads.emplace_back([this] { work(); });
    for (std::thread& thread : threads) thread.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void work() {
    for (;;) {
      const std::size_t mine = next_++;
      if (mine >= ready_.size() || stopped_) return;
      try {
        grade_one(ready_[mine]);
      } catch (...) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        stopped_ = true;
        return;
      }
    }
  }

  void grade_one(Ready& one) {
    Grading grading = grade({kit_, toolchain_, one.submission, options_.backend});
    grading.notes.insert(grading.notes.begin(), one.attempt->notes.begin(), one.attempt->notes.end());
    const std::lock_guard<std::mutex> lock(mutex_);
    records_.add(grading, key_of(options_, one.attempt->hand_in));
    one.attempt->grading = std::move(grading);
    if (progress_) progress_(++done_, static_cast<int>(ready_.size()));
  }

  const Kit& kit_;
  const Toolchain& toolchain_;
  Records& records_;
  const CourseOptions& options_;
  const CourseProgress& progress_;
  std::vector<Ready>& ready_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  int done_ = 0;
  std::exception_ptr failure_;
};

bool is_last_of_student(const std::vector<GradedAttempt>& attempts, std::size_t i) {
  return i + 1 == attempts.size() || attempts[i + 1].hand_in.student != attempts[i].hand_in.student;
}

}  // namespace

std::vector<GradedAttempt> grade_course(const Kit& kit, const Toolchain& toolchain, const Lab& lab,
                                        Records& records, const CourseOptions& o,
                                        const CourseProgress& progress) {
  std::vector<GradedAttempt> attempts;
  for (HandIn& hand_in : find_hand_ins(o.folder, o.others))
    attempts.push_back({std::move(hand_in), {}, {}, false});
  record_due_dates(lab, o, attempts, records);
  std::vector<Ready> ready;
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    GradedAttempt& attempt = attempts[i];
    Assembled read_in = read(kit, lab, o.course.level, attempt.hand_in);
    attempt.notes = std::move(read_in.notes);
    const auto before = records.graded_before(key_of(o, attempt.hand_in), lab.id, o.course.level, o.backend,
                                              read_in.submission.sha256);
    const bool counts = before && is_graded(*before);
    if (counts) {
      attempt.grading = *before;
      attempt.was_recorded = true;
    }
    const bool again =
        o.regrade || (o.which == Which::failed && counts && before->points < before->max_points);
    const bool asked = o.which != Which::latest || is_last_of_student(attempts, i);
    if (asked && (!counts || again)) {
      attempt.was_recorded = false;
      ready.push_back({&attempt, std::move(read_in.submission)});
    }
  }
  Workers(kit, toolchain, records, o, progress, ready).run();
  // Not asked for, and never graded: not part of the answer.
  attempts.erase(std::remove_if(attempts.begin(), attempts.end(),
                                [](const GradedAttempt& attempt) { return attempt.grading.lab.empty(); }),
                 attempts.end());
  return attempts;
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
    const double share = share_left(course, mark.student, attempt.hand_in.received_at);
    const bool better =
        mark.counted == 0 || course.latest_counts || attempt.grading.points * share > mark.mark();
    if (!better) continue;
    mark.counted = attempt.hand_in.attempt;
    mark.points = attempt.grading.points;
    mark.share = share;
    mark.verdict = attempt.grading.verdict;
    mark.received_at = attempt.hand_in.received_at;
  }
  std::vector<Mark> out;
  for (auto& [id, mark] : by_student) {
    mark.max_points = max_points;
    out.push_back(std::move(mark));
  }
  return out;
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
