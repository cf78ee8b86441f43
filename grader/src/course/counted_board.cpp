#include "course/counted_board.hpp"

#include <algorithm>
#include <tuple>

#include "course/leaderboard.hpp"

namespace grader {
namespace {

std::optional<KernelCounts> counts_of(const Grading& grading, const std::string& case_id) {
  for (const CaseResult& one : grading.cases)
    if (one.id == case_id) return one.counts;
  return std::nullopt;
}

bool has_counts(const Grading& grading) {
  return std::any_of(grading.cases.begin(), grading.cases.end(),
                     [](const CaseResult& one) { return one.counts.has_value(); });
}

/// The visible case with the most sectors, since it leaves the most to gain. A hidden case is never taken: a
/// program could encode its inputs in the counts.
std::string counted_case(const Lab& lab, const std::vector<const GradedAttempt*>& counted) {
  std::string out;
  std::int64_t most = -1;
  for (const Case& one : lab.cases) {
    if (one.visibility != Visibility::visible) continue;
    std::int64_t sum = 0;
    const bool all = std::all_of(counted.begin(), counted.end(), [&](const GradedAttempt* attempt) {
      const auto counts = counts_of(attempt->grading, one.id);
      sum += counts.value_or(KernelCounts()).sectors;
      return counts.has_value();
    });
    if (!all || sum <= most) continue;
    most = sum;
    out = one.id;
  }
  return out;
}

}  // namespace

std::optional<CountedBoard> counted_board(const Lab& lab, const std::vector<const GradedAttempt*>& right,
                                          const std::map<std::string, std::string>& nicknames,
                                          const Grading* solution, const std::vector<Reference>& references) {
  std::vector<const GradedAttempt*> counted;
  std::copy_if(right.begin(), right.end(), std::back_inserter(counted),
               [](const GradedAttempt* one) { return has_counts(one->grading); });
  if (counted.empty()) return std::nullopt;
  CountedBoard out;
  out.case_id = counted_case(lab, counted);
  if (out.case_id.empty()) return std::nullopt;

  std::map<std::string, KernelCounts> best;
  for (const GradedAttempt* attempt : counted) {
    const KernelCounts counts = *counts_of(attempt->grading, out.case_id);
    const auto [known, first] = best.emplace(attempt->hand_in.student, counts);
    if (!first) known->second = std::min(known->second, counts);
  }
  for (const auto& [student, counts] : best)
    out.placings.push_back({0, student, nicknames.at(student), counts});
  std::sort(out.placings.begin(), out.placings.end(), [](const CountedPlacing& a, const CountedPlacing& b) {
    return std::tie(a.counts, a.nickname) < std::tie(b.counts, b.nickname);
  });
  for (std::size_t i = 0; i < out.placings.size(); ++i) {
    const bool equal = i > 0 && out.placings[i].counts == out.placings[i - 1].counts;
    out.placings[i].rank = equal ? out.placings[i - 1].rank : static_cast<int>(i) + 1;
  }

  const auto add_line = [&](const std::string& name, const Grading& grading) {
    if (const auto counts = counts_of(grading, out.case_id); counts && has_all_points(grading))
      out.lines.push_back({name, *counts});
  };
  for (const Reference& one : references) add_line(one.name, one.grading);
  if (out.lines.empty() && solution != nullptr) add_line("solution", *solution);
  std::stable_sort(out.lines.begin(), out.lines.end(),
                   [](const auto& a, const auto& b) { return a.counts < b.counts; });
  return out;
}

}  // namespace grader
