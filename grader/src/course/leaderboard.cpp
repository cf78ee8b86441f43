#include "course/leaderboard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/columns.hpp"
#include "course/assemble.hpp"
#include "course/hand_in_files.hpp"
#include "course/nicknames.hpp"
#include "course/secret.hpp"
#include "grade/grade.hpp"

namespace grader {
namespace {

const CaseResult* find_case(const Grading& grading, const std::string& id) {
  for (const CaseResult& one : grading.cases)
    if (one.id == id) return &one;
  return nullptr;
}

std::optional<double> kernel_time(const Grading& grading, const std::string& case_id) {
  const CaseResult* const one = find_case(grading, case_id);
  if (one == nullptr) return std::nullopt;
  const auto time = one->times.find(Measure{Measure::Kind::kernel});
  return time == one->times.end() || time->second <= 0 ? std::nullopt : std::optional(time->second);
}

/// The visible case with the longest time among those for which every right attempt has a time. The longest
/// case leaves the most to gain. A hidden case is never taken: students read the board, and a program could
/// encode hidden inputs in its time.
std::string timed_case(const Lab& lab, const std::vector<const GradedAttempt*>& right) {
  std::string longest;
  double most = 0;
  for (const Case& one : lab.cases) {
    if (one.visibility != Visibility::visible) continue;
    double sum = 0;
    const bool all = std::all_of(right.begin(), right.end(), [&](const GradedAttempt* attempt) {
      const std::optional<double> time = kernel_time(attempt->grading, one.id);
      sum += time.value_or(0);
      return time.has_value();
    });
    if (all && sum > most) {
      most = sum;
      longest = one.id;
    }
  }
  return longest;
}

bool stands_before(const Placing& a, const Placing& b) {
  return std::tie(a.time_s, a.received_at, a.nickname) < std::tie(b.time_s, b.received_at, b.nickname);
}

/// @param bettered the placings that changed the board, in order of arrival
/// @param placings the final placings
std::vector<Leaderboard::Moment> history_of(const std::vector<Placing>& bettered,
                                            const std::vector<Placing>& placings) {
  std::vector<const Placing*> board;  // current state, by rank
  std::map<std::string, const Placing*> of_student;
  const auto place = [&](const Placing* one) {
    return std::lower_bound(board.begin(), board.end(), one,
                            [](const Placing* a, const Placing* b) { return stands_before(*a, *b); });
  };
  std::vector<Leaderboard::Moment> out;
  for (const Placing& one : bettered) {
    const Placing*& own = of_student[one.student];
    if (own != nullptr) board.erase(place(own));
    own = &one;
    board.insert(place(own), own);
    Leaderboard::Moment moment{one.received_at, {}};
    for (std::size_t i = 0; i < std::min(Leaderboard::followed, placings.size()); ++i) {
      const auto known = of_student.find(placings[i].student);
      moment.ranks.push_back(
          known == of_student.end() ? 0 : static_cast<int>(place(known->second) - board.begin()) + 1);
    }
    out.push_back(std::move(moment));
  }
  return out;
}

}  // namespace

bool has_all_points(const Grading& grading) {
  return is_graded(grading) && grading.verdict == Verdict::passed && grading.max_points > 0;
}

Leaderboard leaderboard(const Lab& lab, const ClassFile& course, const std::vector<GradedAttempt>& attempts,
                        const std::map<std::string, std::string>& nicknames, const Grading* solution,
                        const std::vector<Reference>& references) {
  Leaderboard out;
  out.thresholds = course.thresholds;
  std::sort(out.thresholds.rbegin(), out.thresholds.rend());
  std::vector<const GradedAttempt*> right;
  std::set<std::string> students;
  for (const GradedAttempt& attempt : attempts) {
    students.insert(attempt.hand_in.student);
    if (has_all_points(attempt.grading) && nicknames.count(attempt.hand_in.student) != 0 &&
        share_left(course, attempt.hand_in.student, attempt.hand_in.received_at,
                   attempt.hand_in.marked_late) > 0)
      right.push_back(&attempt);
  }
  out.students = students.size();
  out.counted = counted_board(lab, right, nicknames, solution, references);
  out.case_id = timed_case(lab, right);
  out.timed = !out.case_id.empty();
  if (out.timed) {
    out.time_source = right.front()->grading.time_source;
    // In emulation other hand-ins use the same processor, but the reference ran alone. So the times are not
    // compared.
    if (solution != nullptr && out.time_source != "emulation")
      out.reference_s = kernel_time(*solution, out.case_id).value_or(0);
    for (const Reference& one : references)
      if (const auto time = kernel_time(one.grading, out.case_id); time && has_all_points(one.grading))
        out.lines.push_back({one.name, *time});
    std::stable_sort(out.lines.begin(), out.lines.end(),
                     [](const auto& a, const auto& b) { return a.time_s < b.time_s; });
  }
  // Sort by arrival; ties keep the order of the final placings.
  std::stable_sort(right.begin(), right.end(), [](const GradedAttempt* a, const GradedAttempt* b) {
    return a->hand_in.received_at < b->hand_in.received_at;
  });
  std::vector<Placing> bettered;  // the first attempt of each student, and each later one that is better
  std::map<std::string, std::size_t> last;
  for (const GradedAttempt* attempt : right) {
    Placing placing;
    placing.student = attempt->hand_in.student;
    placing.nickname = nicknames.at(placing.student);
    placing.attempt = attempt->hand_in.attempt;
    placing.received_at = attempt->hand_in.received_at;
    if (out.timed) placing.time_s = *kernel_time(attempt->grading, out.case_id);
    if (out.reference_s > 0) {
      placing.to_reference = placing.time_s / out.reference_s;
      for (std::size_t i = 0; i < out.thresholds.size(); ++i)
        if (placing.to_reference <= out.thresholds[i]) placing.threshold = i;
    }
    const auto known = last.find(placing.student);
    if (known != last.end() && bettered[known->second].time_s <= placing.time_s) continue;
    last[placing.student] = bettered.size();
    bettered.push_back(std::move(placing));
  }
  for (const auto& [student, i] : last) out.placings.push_back(bettered[i]);
  std::sort(out.placings.begin(), out.placings.end(), stands_before);
  for (std::size_t i = 0; i < out.placings.size(); ++i) out.placings[i].rank = static_cast<int>(i) + 1;
  out.history = history_of(bettered, out.placings);
  return out;
}

Leaderboard class_board(const Kit& kit, const Lab& lab, const ClassFile& course,
                        const std::vector<GradedAttempt>& attempts, const Grading* solution,
                        const std::vector<Reference>& references) {
  std::vector<std::string> students;
  std::map<std::string, std::string> chosen;
  for (const GradedAttempt& attempt : attempts) {
    students.push_back(attempt.hand_in.student);
    if (!attempt.nickname.empty()) chosen[attempt.hand_in.student] = attempt.nickname;
  }
  return leaderboard(lab, course, attempts,
                     nicknames(course, students, chosen, kept_secret(kit.state() / nickname_secret_file)),
                     solution, references);
}

std::optional<Grading> reference_grading(const Kit& kit, const Toolchain& toolchain, const Lab& lab,
                                         int level, Backend backend) {
  std::error_code failed;
  if (!fs::exists(solution_folder(kit, lab), failed)) return std::nullopt;
  try {
    Grading grading = grade({kit, toolchain, read_submission(kit, lab, level, Origin::solution), backend});
    if (grading.verdict != Verdict::passed) return std::nullopt;
    return grading;
  } catch (const Error& e) {
    if (e.kind() == ErrorKind::environment)
      return std::nullopt;  // the class was graded on a cluster, and this machine has no GPU
    throw;
  }
}

std::vector<Reference> graded_references(const Kit& kit, const Toolchain& toolchain, const Lab& lab,
                                         const CourseOptions& options, const std::optional<Grading>& solution,
                                         std::vector<std::string>& remarks) {
  std::vector<Reference> out;
  for (const ReferenceFolder& one : options.course.references) {
    std::string why = "it has not all points";
    try {
      if (one.folder.empty()) {
        if (solution) {
          out.push_back({one.name, *solution});
          continue;
        }
        why = "the kit has no solution that passes here";
      } else {
        HandIn files;
        files.paths = {one.folder};
        Assembled assembled =
            assemble(read_form(kit, lab, options.course.level), read_hand_in(files).files, one.folder);
        Grading grading = grade({kit, toolchain, std::move(assembled.submission), options.backend});
        const bool passes = has_all_points(grading);
        out.push_back({one.name, std::move(grading)});
        if (passes) continue;
      }
    } catch (const Error& e) {
      if (e.kind() == ErrorKind::fault) throw;
      why = e.what();
    }
    remarks.push_back(
        fmt::format("The reference {} is not on the leaderboard: {}", printable(one.name), why));
    if (!why.ends_with('.')) remarks.back() += '.';
  }
  return out;
}

}  // namespace grader
