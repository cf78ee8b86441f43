// A mistake is first graded at the levels that leave its place blank, since no case judges a part that a
// level gives.
#include "author/mistakes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "author/agreement.hpp"
#include "base/columns.hpp"
#include "check/checking.hpp"
#include "grade/score.hpp"

namespace grader {
namespace {

/// All levels, sorted: first the levels that require the part at the mistake's place, then those with the
/// most cases; of equal levels, the later one first. Another level may also leave the place blank, in a file
/// that it takes from elsewhere. But none of its cases requires that file, so grading that level first would
/// cost a run of all cases.
std::vector<int> levels_to_try(const Kit& kit, const Lab& lab, const WrongSolution& wrong) {
  std::vector<int> levels;
  for (int level = lab.levels; level >= 1; --level) levels.push_back(level);
  const auto cases_at = [&](int level) {
    return std::count_if(lab.cases.begin(), lab.cases.end(),
                         [&](const Case& c) { return lab.counts_at(level, c.parts); });
  };
  std::stable_sort(levels.begin(), levels.end(), [&](int a, int b) { return cases_at(a) > cases_at(b); });
  std::stable_partition(levels.begin(), levels.end(), [&](int level) {
    const std::vector<LabFile> files = level_files(kit, lab, level);
    return std::any_of(files.begin(), files.end(), [&](const LabFile& file) {
      return file.name == wrong.file && file.origin.parent_path() == level_folder(kit, lab, level) &&
             file.text.find(wrong.find) == std::string::npos;
    });
  });
  return levels;
}

/// The lab with only the cases of these names. An empty name is ignored.
/// @throws Error (usage) for an unknown name
Lab with_cases(const Lab& lab, const std::set<std::string>& names, const WrongSolution& wrong) {
  Lab narrowed = lab;
  std::erase_if(narrowed.cases, [&](const Case& c) { return names.count(c.id) == 0; });
  const auto known = [&](const std::string& name) {
    return name.empty() ||
           std::any_of(lab.cases.begin(), lab.cases.end(), [&](const Case& c) { return c.id == name; });
  };
  for (const std::string& name : names)
    if (!known(name))
      throw Error(ErrorKind::usage,
                  fmt::format("The mistake \"{}\" names a case that {} doesn't have: \"{}\".", wrong.name,
                              lab.id, name),
                  fmt::format("grader list {}", lab.id));
  return narrowed;
}

/// The lab with cases that draw their inputs from one seed, so that all runs have the same inputs. Cases with
/// gold files keep their own seeds.
Lab with_seed(Lab lab, std::uint64_t seed) {
  for (Case& c : lab.cases)
    if (!c.seed) c.seed = seed;
  return lab;
}

std::string patterns_in(const Grading& grading) {
  std::set<std::string> patterns;
  for (const CaseResult& result : grading.cases)
    if (result.mismatch && !result.mismatch->pattern.empty()) patterns.insert(result.mismatch->pattern);
  return patterns.empty() ? "no pattern" : fmt::format("{}", fmt::join(patterns, ", "));
}

/// Whether `id` is the case `meant`, or a case that the checker ran in its place because both are the same
/// run at their checking sizes.
bool is_case(const Lab& lab, const std::string& id, const std::string& meant) {
  if (id == meant) return true;
  const auto with_id = [&](const std::string& wanted) {
    return std::find_if(lab.cases.begin(), lab.cases.end(), [&](const Case& c) { return c.id == wanted; });
  };
  const auto ran = with_id(id), asked = with_id(meant);
  return ran != lab.cases.end() && asked != lab.cases.end() && checked_alike(*ran, *asked);
}

bool shows(const Lab& lab, const CaseResult& result, const WrongSolution::Expected& expected) {
  if (!expected.only_case.empty() && !is_case(lab, result.id, expected.only_case)) return false;
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

/// Whether a run under the checker may explain this verdict.
bool worth_checking(Verdict verdict) {
  switch (verdict) {
    case Verdict::wrong_answer:
    case Verdict::no_output:
    case Verdict::crash:
    case Verdict::time_out:
    case Verdict::finding:
    case Verdict::requirement_failed:
      return true;
    default:
      return false;
  }
}

/// Whether the verdict is the expected one or, if the mistake leaves some results right by luck, its
/// alternative: a wrong result instead of the checker's finding, or vice versa. Whether two racing threads
/// disturb each other differs from run to run.
bool is_as_telling(Verdict got, const WrongSolution& wrong, Backend backend) {
  const Verdict expected = wrong.verdict_on(backend);
  const bool spoils = expected == Verdict::wrong_answer || expected == Verdict::crash;
  const bool proved = expected == Verdict::finding && !wrong.finding.rule.empty();
  return got == expected || (got == Verdict::finding && spoils) || (got == Verdict::wrong_answer && proved);
}

/// Where the verdict comes from, and the first words of its message.
std::string why(const Grading& grading) {
  const CaseResult* const failed = leading_case(grading);
  if (failed == nullptr) return "";
  return fmt::format(" (case {}: {})", failed->id, failed->message.substr(0, failed->message.find('\n')));
}

/// Whether the grading ran the checker on each case that `grader check` would run for these cases, and the checker
/// found nothing. Then `grader check` adds no words.
bool checker_was_silent(const Lab& graded, const Grading& grading, const std::string& further_case) {
  const auto is_silent = [&](const Case& c) {
    return c.unchecked.empty() &&
           std::any_of(grading.cases.begin(), grading.cases.end(),
                       [&](const CaseResult& result) { return result.id == c.id && result.checker_silent; });
  };
  const bool covered =
      further_case.empty() || std::any_of(graded.cases.begin(), graded.cases.end(),
                                          [&](const Case& c) { return c.id == further_case; });
  return covered && std::all_of(graded.cases.begin(), graded.cases.end(), is_silent);
}

const Finding* first_finding(const Grading& checked) {
  const Finding* first = nullptr;
  for (const CaseResult& result : checked.cases)
    for (const Finding& finding : result.findings)
      if (first == nullptr || (finding.error && !first->error)) first = &finding;
  return first;
}

/// Whether the text contains one of the words separated by `|`.
bool holds_one(const std::string& text, const std::string& words) {
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = std::min(words.find('|', begin), words.size());
    if (text.find(words.substr(begin, end - begin)) != std::string::npos) return true;
    if (end == words.size()) return false;
    begin = end + 1;
  }
}

}  // namespace

std::string said_first(const Grading& grading, const Grading* checked) {
  std::string said = grading.verdict == Verdict::compile_error ? grading.diagnostics : "";
  const CaseResult* const failed = leading_case(grading);
  if (failed != nullptr) {
    said += failed->message + "\n" + failed->next_step + "\n" + failed->output_excerpt + "\n";
    if (failed->mismatch) said += failed->mismatch->explanation + "\n";
  }
  const Finding* const finding = checked != nullptr ? first_finding(*checked) : nullptr;
  if (finding != nullptr) said += finding->headline + "\n" + finding->hint + "\n";
  return said;
}

void judge_words(MistakeOutcome& outcome, const WrongSolution& wrong) {
  const std::string said = lower(outcome.said);
  outcome.explained = !wrong.names.empty() &&
                      std::all_of(wrong.names.begin(), wrong.names.end(),
                                  [&](const std::string& words) { return holds_one(said, lower(words)); });
  outcome.falsehoods.clear();
  for (const std::string& words : wrong.never)
    if (said.find(lower(words)) != std::string::npos) outcome.falsehoods.push_back(words);
}

MistakeOutcome try_mistake(const Kit& kit, const Toolchain& toolchain, const Lab& lab,
                           const WrongSolution& wrong, Backend backend, MistakeCases cases,
                           std::uint64_t seed, bool agree, const Progress& progress) {
  const auto tells = [&](const Case& c) { return c.id == wrong.shown_in && c.runs_on(backend); };
  const bool narrow = cases == MistakeCases::named && std::any_of(lab.cases.begin(), lab.cases.end(), tells);
  const Lab graded = with_seed(narrow ? with_cases(lab, {wrong.shown_in}, wrong) : lab, seed);
  Submission submission = apply_wrong(read_submission(kit, lab, 1, Origin::solution), wrong);
  submission.origin = Origin::folder;
  submission.lab = &graded;
  MistakeOutcome outcome;
  for (const int level : levels_to_try(kit, lab, wrong)) {
    if (narrow && !lab.counts_at(level, graded.cases.front().parts)) continue;
    submission.level = outcome.level = level;
    outcome.grading = grade({kit, toolchain, submission, backend, progress});
    if (outcome.grading.points < outcome.grading.max_points) break;
  }
  const Grading& grading = outcome.grading;
  if (agree) outcome.disagreement = disagreement(kit, toolchain, submission, wrong.shown_in, grading);
  if (const CaseResult* const first = leading_case(grading)) outcome.shown_in = first->id;
  const bool costs = grading.points < grading.max_points;
  const Verdict expected = wrong.verdict_on(backend);
  outcome.caught = costs && is_as_telling(grading.verdict, wrong, backend);
  if (!costs) {
    outcome.what_else = "it passes at every level";
    return outcome;
  }
  if (!outcome.caught)
    outcome.what_else = fmt::format("the verdict is \"{}\", not \"{}\"{}", words(grading.verdict),
                                    words(expected), why(grading));

  const bool right_pattern =
      wrong.pattern.empty() ||
      std::any_of(grading.cases.begin(), grading.cases.end(), [&](const CaseResult& result) {
        return result.mismatch && result.mismatch->pattern == wrong.pattern;
      });
  if (!right_pattern && outcome.what_else.empty())
    outcome.what_else = fmt::format("the pattern named is {}, not {}", patterns_in(grading), wrong.pattern);
  // On a GPU the checker does not run, so its words are missing there.
  const bool emulated = backend == Backend::emu, asked = emulated && !wrong.names.empty();
  const auto finds = [&](const Grading& in) {
    return std::any_of(in.cases.begin(), in.cases.end(),
                       [&](const CaseResult& result) { return shows(lab, result, wrong.finding); });
  };
  bool right_finding = !emulated || wrong.finding.rule.empty() || finds(grading);
  outcome.said = said_first(grading, nullptr);
  judge_words(outcome, wrong);
  // A grading itself runs the checker on a failed case. If this does not explain the failure, a student would
  // next type `grader check`.
  const bool unexplained = asked && !outcome.explained && worth_checking(grading.verdict);
  if ((!right_finding || unexplained) && checker_was_silent(graded, grading, wrong.finding.only_case)) {
    if (!right_finding && outcome.what_else.empty())
      outcome.what_else = fmt::format("the checker found nothing, not {}", wrong.finding.rule);
  } else if (!right_finding || unexplained) {
    const Lab looked_at =
        with_seed(narrow ? with_cases(lab, {wrong.shown_in, wrong.finding.only_case}, wrong) : lab, seed);
    submission.lab = &looked_at;
    const Grading checked = check({kit, toolchain, submission, Backend::emu, progress});
    right_finding = wrong.finding.rule.empty() || finds(checked);
    if (!right_finding && outcome.what_else.empty())
      outcome.what_else =
          fmt::format("the checker found {}, not {}{}", rules_in(checked), wrong.finding.rule,
                      wrong.finding.says.empty() ? "" : " that says \"" + wrong.finding.says + "\"");
    outcome.said = said_first(grading, &checked);
    judge_words(outcome, wrong);
  }
  if (outcome.what_else.empty() && asked && !outcome.explained)
    outcome.what_else =
        fmt::format("what is said first does not contain \"{}\"", fmt::join(wrong.names, "\", \""));
  const bool right_case = !emulated || wrong.shown_in.empty() || outcome.shown_in == wrong.shown_in;
  if (outcome.what_else.empty() && !right_case)
    outcome.what_else =
        fmt::format("the report begins with case {}, not {}", outcome.shown_in, wrong.shown_in);
  if (outcome.what_else.empty() && !outcome.falsehoods.empty())
    outcome.what_else = fmt::format("it says what is false: \"{}\"", fmt::join(outcome.falsehoods, "\", \""));
  outcome.named = right_pattern && right_finding && right_case && outcome.falsehoods.empty() &&
                  (!asked || outcome.explained);
  return outcome;
}

}  // namespace grader
