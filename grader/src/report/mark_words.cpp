#include "report/mark_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/utc.hpp"
#include "grade/score.hpp"
#include "report/report.hpp"

namespace grader {
namespace {

constexpr std::size_t most_cases = 4;
constexpr double least_loss = 0.005;  ///< less is rounded away

/// The cases in which a part lost its points, the largest loss first: "0.33 in case n512, 0.34 in case timers".
std::string lost_in(const Grading& own, const std::vector<CaseShare>& shares, int part) {
  std::vector<CaseShare> lost;
  for (const CaseShare& share : shares)
    if (share.part == part && share.max_points - share.points >= least_loss) lost.push_back(share);
  std::stable_sort(lost.begin(), lost.end(), [](const CaseShare& a, const CaseShare& b) {
    return a.max_points - a.points > b.max_points - b.points;
  });
  std::string out;
  for (std::size_t i = 0; i < lost.size() && i < most_cases; ++i)
    out += fmt::format("{}{} in {} {}", i == 0 ? "" : ", ", points_text(lost[i].max_points - lost[i].points),
                       shows_details(own, *lost[i].result) ? "case" : "hidden case", lost[i].result->id);
  if (lost.size() > most_cases) out += fmt::format(", and in {} more", lost.size() - most_cases);
  return out;
}

void add_losses(std::vector<std::string>& lines, const Lab& lab, const Grading& own) {
  if (own.max_points - own.points < least_loss) return;
  const std::string sum =
      fmt::format("{} of {} points", points_text(own.points), points_text(own.max_points));
  if (own.points < least_loss) {
    lines.push_back(fmt::format("{}: {}.", sum, words(own.verdict)));
    return;
  }
  lines.push_back(fmt::format("{}. These are lost:", sum));
  const std::vector<CaseShare> shares = case_shares(lab, own);
  for (const PartResult& part : own.parts) {
    if (part.max_points - part.points < least_loss) continue;
    const std::string where = part.todo ? "it is still to do" : lost_in(own, shares, part.id);
    lines.push_back(fmt::format("Part {}: {} of {}{}.", part.id, points_text(part.max_points - part.points),
                                points_text(part.max_points), where.empty() ? "" : ": " + where));
  }
}

}  // namespace

std::string added_text(const Mark& mark) {
  return (mark.added > 0 ? "+" : "") + points_text(mark.added);
}

std::string answers_text(const Mark& mark) {
  const std::string right =
      mark.answers ? fmt::format("{} of {}", mark.answers->right, mark.answers->questions) : "";
  if (!mark.answer_points) return right;
  return fmt::format("{}: +{}", right.empty() ? "none" : right, points_text(*mark.answer_points));
}

std::vector<std::string> mark_lines(const Lab& lab, const Grading& own, const Mark& mark) {
  std::vector<std::string> lines;
  add_losses(lines, lab, own);
  if (mark.share < 1)
    lines.push_back(fmt::format("Handed in late{}: {:.4g} % of the points count, {} of {}.",
                                mark.received_at.empty() ? "" : " (" + minute_of(mark.received_at) + " UTC)",
                                100 * mark.share, points_text(mark.points * mark.share),
                                points_text(own.max_points)));
  if (mark.answer_points)
    lines.push_back(fmt::format("Right answers about your program: {} points.", answers_text(mark)));
  if (mark.added != 0 || !mark.comment.empty())
    lines.push_back(
        fmt::format("By hand: {}{}", mark.added != 0 ? added_text(mark) : "",
                    mark.comment.empty() ? " points." : (mark.added != 0 ? " points. " : "") + mark.comment));
  if (mark.share < 1 || mark.added != 0 || mark.answer_points)
    lines.push_back(fmt::format("Mark: {} of {}.", points_text(mark.mark()), points_text(mark.max_points)));
  return lines;
}

}  // namespace grader
