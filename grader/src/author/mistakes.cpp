// A mistake is graded at the levels that leave its place blank first: a part that is given is not judged.
#include "author/mistakes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "check/checking.hpp"

namespace grader {
namespace {

/// All levels, the last one first; before them those whose program does not hold the mistake's place.
std::vector<int> levels_to_try(const Kit& kit, const Lab& lab, const WrongSolution& wrong) {
  std::vector<int> levels;
  for (int level = lab.levels; level >= 1; --level) levels.push_back(level);
  std::stable_partition(levels.begin(), levels.end(), [&](int level) {
    const std::vector<LabFile> files = level_files(kit, lab, level);
    return std::none_of(files.begin(), files.end(), [&](const LabFile& file) {
      return file.name == wrong.file && file.text.find(wrong.find) != std::string::npos;
    });
  });
  return levels;
}

std::string patterns_in(const Grading& grading) {
  std::set<std::string> patterns;
  for (const CaseResult& result : grading.cases)
    if (result.mismatch && !result.mismatch->pattern.empty()) patterns.insert(result.mismatch->pattern);
  return patterns.empty() ? "no pattern" : fmt::format("{}", fmt::join(patterns, ", "));
}

bool shows(const CaseResult& result, const WrongSolution::Expected& expected) {
  if (!expected.only_case.empty() && result.id != expected.only_case) return false;
  return std::any_of(result.findings.begin(), result.findings.end(), [&](const Finding& finding) {
    return finding.rule == expected.rule &&
           (expected.says.empty() || finding.headline.find(expected.says) != std::string::npos ||
            finding.hint.find(expected.says) != std::string::npos);
  });
}

std::string rules_in(const Grading& checked) {
  std::set<std::string> rules;
  for (const CaseResult& result : checked.cases)
    for (const Finding& finding : result.findings) rules.insert(finding.rule);
  return rules.empty() ? "nothing" : fmt::format("{}", fmt::join(rules, ", "));
}

}  // namespace

MistakeOutcome try_mistake(const Kit& kit, const Toolchain& toolchain, const Lab& lab,
                           const WrongSolution& wrong, Backend backend, const Progress& progress) {
  Submission submission = apply_wrong(read_submission(kit, lab, 1, Origin::solution), wrong);
  submission.origin = Origin::folder;
  MistakeOutcome outcome;
  for (const int level : levels_to_try(kit, lab, wrong)) {
    submission.level = outcome.level = level;
    outcome.grading = grade({kit, toolchain, submission, backend, progress});
    if (outcome.grading.points < outcome.grading.max_points) break;
  }
  const Grading& grading = outcome.grading;
  const bool costs = grading.points < grading.max_points;
  outcome.caught = costs && grading.verdict == wrong.verdict;
  if (!costs) {
    outcome.what_else = "it passes at every level";
    return outcome;
  }
  if (!outcome.caught)
    outcome.what_else =
        fmt::format("the verdict is \"{}\", not \"{}\"", words(grading.verdict), words(wrong.verdict));

  const bool right_pattern =
      wrong.pattern.empty() ||
      std::any_of(grading.cases.begin(), grading.cases.end(), [&](const CaseResult& result) {
        return result.mismatch && result.mismatch->pattern == wrong.pattern;
      });
  if (!right_pattern && outcome.what_else.empty())
    outcome.what_else = fmt::format("named was {}, not {}", patterns_in(grading), wrong.pattern);
  bool right_finding = true;
  if (!wrong.finding.rule.empty() && backend == Backend::emu) {
    const Grading checked = check({kit, toolchain, submission, Backend::emu, progress});
    right_finding = std::any_of(checked.cases.begin(), checked.cases.end(),
                                [&](const CaseResult& result) { return shows(result, wrong.finding); });
    if (!right_finding && outcome.what_else.empty())
      outcome.what_else =
          fmt::format("the checker found {}, not {}{}", rules_in(checked), wrong.finding.rule,
                      wrong.finding.says.empty() ? "" : " that says \"" + wrong.finding.says + "\"");
  }
  outcome.named = right_pattern && right_finding;
  return outcome;
}

}  // namespace grader
