#include "grade/score.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "check/findings.hpp"
#include "verify/patterns.hpp"

namespace grader {
namespace {

/// The verdicts, the most important to the student first. The header explains the order.
constexpr Verdict order_of_verdicts[] = {
    Verdict::compile_error,
    Verdict::todo,
    Verdict::finding,
    Verdict::crash,
    Verdict::time_out,
    Verdict::memory_limit,
    Verdict::process_limit,
    Verdict::output_limit,
    Verdict::no_output,
    Verdict::wrong_answer,
    Verdict::requirement_failed,
    Verdict::grader_fault,
    Verdict::passed,
    Verdict::unsupported,
};

std::ptrdiff_t rank(Verdict verdict) {
  return std::find(std::begin(order_of_verdicts), std::end(order_of_verdicts), verdict) -
         std::begin(order_of_verdicts);
}

/// Whether the verdict judges the student's work.
bool judged(Verdict verdict) {
  return verdict != Verdict::unsupported && verdict != Verdict::grader_fault;
}

bool proves(const Case& c, int part) {
  return c.parts.empty() || std::find(c.parts.begin(), c.parts.end(), part) != c.parts.end();
}

/// The case's verdict; unsupported when it was not graded.
Verdict verdict_of(const Case& c, const Grading& grading) {
  for (const CaseResult& result : grading.cases)
    if (result.id == c.id) return result.verdict;
  const bool nothing_ran = grading.cases.empty() && grading.verdict == Verdict::compile_error;
  return nothing_ran && c.runs_on(grading.backend) ? Verdict::compile_error : Verdict::unsupported;
}

struct Weights {
  double passed = 0;
  double judged = 0;
  bool any_judged = false;
  bool any_failed = false;
  bool decided = false;  ///< whether a deciding case failed, since the task was done in another way

  /// The earned share of the points. If no case has a weight, all of them must pass.
  double share() const {
    if (decided) return 0;
    return judged > 0 ? passed / judged : any_failed ? 0 : 1;
  }
};

Weights weights_of(const Lab& lab, const Part& part, const Grading& grading) {
  Weights weights;
  for (const Case& c : lab.cases) {
    const Verdict verdict = verdict_of(c, grading);
    if (!proves(c, part.id) || !judged(verdict)) continue;
    weights.any_judged = true;
    weights.judged += c.points;
    if (verdict == Verdict::passed)
      weights.passed += c.points;
    else
      weights.any_failed = true;
    if (verdict == Verdict::requirement_failed &&
        std::find(c.decides.begin(), c.decides.end(), part.id) != c.decides.end())
      weights.decided = true;
  }
  return weights;
}

void weigh_cases(const Lab& lab, Grading& grading) {
  for (CaseResult& result : grading.cases) {
    const auto c = std::find_if(lab.cases.begin(), lab.cases.end(),
                                [&](const Case& known) { return known.id == result.id; });
    const double weight = c == lab.cases.end() ? 0 : c->points;
    result.max_points = judged(result.verdict) ? weight : 0;
    result.points = result.verdict == Verdict::passed ? weight : 0;
  }
}

/// If a wrong answer or a crash has a finding, makes it the verdict of the grading: it tells the student more
/// than a finding about a result that is right by luck.
void lead_with_explained(Grading& grading) {
  if (grading.verdict != Verdict::finding) return;
  const auto explained = std::find_if(grading.cases.begin(), grading.cases.end(), [](const CaseResult& c) {
    return (c.verdict == Verdict::wrong_answer || c.verdict == Verdict::crash) && any_error(c.findings);
  });
  if (explained != grading.cases.end()) grading.verdict = explained->verdict;
}

/// Whether the verdict is a limit of time, memory, processes or output.
bool is_limit(Verdict verdict) {
  return verdict == Verdict::time_out || verdict == Verdict::memory_limit ||
         verdict == Verdict::process_limit || verdict == Verdict::output_limit;
}

/// Whether the program ran to its end and failed its task.
bool failed_at_its_end(Verdict verdict) {
  return verdict == Verdict::wrong_answer || verdict == Verdict::requirement_failed;
}

/// The most informative verdict of the cases, from the smallest to the largest. After a case that ran to its
/// end and failed, a limit in a larger case adds nothing. Nor does a crash, if the cause of the first failure
/// is known.
Verdict leading_verdict(const std::vector<CaseResult>& cases) {
  Verdict leading = Verdict::unsupported;
  bool failed = false, cause_known = false;
  for (const CaseResult& result : cases) {
    if (failed && is_limit(result.verdict)) continue;
    if (cause_known && result.verdict == Verdict::crash) continue;
    leading = more_telling(leading, result.verdict);
    // The failure of a hidden case shows the student no details.
    if (result.visibility != Visibility::visible || !failed_at_its_end(result.verdict)) continue;
    failed = true;
    cause_known = cause_known || (result.mismatch && !result.mismatch->pattern.empty() &&
                                  meaning_of(result.mismatch->pattern) == PatternMeaning::cause);
  }
  return leading;
}

/// A part's points on a backend. In emulation, they don't include the points that only a GPU can judge.
double points_here(const Part& part, Backend backend) {
  return part.points - (backend == Backend::gpu ? 0 : part.on_gpu.points);
}

void score_parts(const Lab& lab, Grading& grading) {
  std::vector<int> not_gradable;
  for (const Part& part : lab.parts) {
    if (grading.origin != Origin::solution && !part.counts_at(grading.level)) continue;  // given by the level
    const auto todo = std::find_if(grading.todo.begin(), grading.todo.end(),
                                   [&](const Todo& t) { return t.part == part.id; });
    PartResult result{part.id, part.title, 0, 0, todo != grading.todo.end()};
    const Weights weights = weights_of(lab, part, grading);
    if (weights.any_judged) {
      result.max_points = points_here(part, grading.backend);
      result.points = result.max_points * weights.share();
      if (result.max_points < part.points)
        grading.notes.push_back(fmt::format("{:g} of the {:g} points of part {} are not judged here: {}.",
                                            part.on_gpu.points, part.points, part.id, part.on_gpu.why));
      if (weights.share() == 1 && result.todo) {
        result.todo = false;
        grading.notes.push_back(fmt::format("Part {} passes, but LAB_TODO({}) is still at {}:{}: remove it.",
                                            part.id, part.id, todo->file.string(), todo->line));
      }
    } else {
      not_gradable.push_back(part.id);
    }
    grading.points += result.points;
    grading.max_points += result.max_points;
    grading.parts.push_back(std::move(result));
  }
  if (!not_gradable.empty() && is_graded(grading))
    grading.notes.push_back(fmt::format(
        "Not graded here, and not counted: part{} {}, since no case that proves {} could run with "
        "the {} backend.",
        not_gradable.size() > 1 ? "s" : "", fmt::join(not_gradable, ", "),
        not_gradable.size() > 1 ? "them" : "it", to_string(grading.backend)));
}

/// Removes all points and notes the reason. The verdict is already set.
void withhold_points(Grading& grading) {
  grading.points = grading.max_points = 0;
  for (PartResult& part : grading.parts) part.points = part.max_points = 0;
  for (const CaseResult& c : grading.cases) {
    if (c.verdict != Verdict::grader_fault) continue;
    const bool said = grading.verdict == Verdict::grader_fault || c.message.empty();
    grading.notes.push_back(
        fmt::format("Not graded, since the kit is at fault in case {}.{} Nothing is lost: the next \"grader "
                    "{}\" grades it again.",
                    c.id, said ? "" : " " + c.message, grading.lab));
    return;
  }
}

}  // namespace

Verdict more_telling(Verdict a, Verdict b) {
  return rank(a) <= rank(b) ? a : b;
}

void score(const Lab& lab, Grading& grading) {
  grading.parts.clear();
  grading.points = grading.max_points = 0;
  if (!grading.cases.empty())  // without cases, the verdict of an earlier error is kept
    grading.verdict = leading_verdict(grading.cases);
  if (grading.check) return;
  lead_with_explained(grading);
  weigh_cases(lab, grading);
  score_parts(lab, grading);
  if (!is_graded(grading)) withhold_points(grading);
}

std::vector<CaseShare> case_shares(const Lab& lab, const Grading& grading) {
  std::vector<CaseShare> all;
  for (const PartResult& part : grading.parts) {
    std::vector<CaseShare> shares;
    bool decided = false;
    for (const CaseResult& result : grading.cases) {
      const auto c = std::find_if(lab.cases.begin(), lab.cases.end(),
                                  [&](const Case& known) { return known.id == result.id; });
      if (!judged(result.verdict) || (c != lab.cases.end() && !proves(*c, part.id))) continue;
      const bool decides = c != lab.cases.end() && result.verdict == Verdict::requirement_failed &&
                           std::find(c->decides.begin(), c->decides.end(), part.id) != c->decides.end();
      if (decides && !std::exchange(decided, true)) shares.clear();
      if (decided == decides) shares.push_back({part.id, &result, 0, result.max_points});
    }
    double weights = 0, passed = 0;
    for (const CaseShare& share : shares) weights += share.max_points;
    for (CaseShare& share : shares) {
      const double weight = weights > 0 ? share.max_points / weights : 1 / static_cast<double>(shares.size());
      share.max_points = part.max_points * weight;
      if (share.result->verdict == Verdict::passed) passed += share.max_points;
    }
    for (CaseShare& share : shares)
      if (share.result->verdict == Verdict::passed && passed > 0)
        share.points = part.points * (share.max_points / passed);
    all.insert(all.end(), shares.begin(), shares.end());
  }
  return all;
}

bool shows_details(const Grading& grading, const CaseResult& result) {
  return result.visibility == Visibility::visible || grading.origin == Origin::solution;
}

const CaseResult* leading_case(const Grading& grading) {
  const CaseResult *leading = nullptr, *any = nullptr;
  // The checker's finding explains more than any pattern.
  const auto rank = [](const CaseResult& c) {
    return any_error(c.findings) ? -1 : static_cast<int>(meaning_of(c.mismatch ? c.mismatch->pattern : ""));
  };
  for (const CaseResult& c : grading.cases) {
    if (c.verdict == Verdict::passed || c.verdict == Verdict::unsupported) continue;
    if (any == nullptr) any = &c;
    if (c.verdict != grading.verdict || !shows_details(grading, c)) continue;
    if (leading == nullptr || rank(c) < rank(*leading)) leading = &c;
  }
  return leading != nullptr ? leading : any;
}

int exit_code(const Grading& grading) {
  switch (grading.verdict) {
    case Verdict::passed:
      return 0;
    case Verdict::unsupported:
      return 3;
    case Verdict::grader_fault:
      return 4;
    default:
      return 1;
  }
}

}  // namespace grader
