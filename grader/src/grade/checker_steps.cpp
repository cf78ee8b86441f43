// Runs graded cases under the checker. It shows that a right result was luck, or why a result is wrong. These
// runs are in emulation even if there is a GPU, because the checker finds races that did not happen on the
// GPU.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "check/recording.hpp"
#include "grade/steps.hpp"
#include "verify/patterns.hpp"

namespace grader::steps {
namespace {

/// The key of a program with its arguments. Cases with the same key share one run.
std::string key_of(const Case& small) {
  std::string key;
  for (const auto& [name, value] : small.macros) key += name + '=' + value + '\n';
  for (const std::string& argument : small.args) key += '\0' + argument;
  return key;
}

/// Whether the case has passed so far and needs a run under the checker.
bool asks_second_look(const CaseWork& one) {
  return !one.settled && one.c.asks_checker();
}

/// The checker's findings in a case's program. All cases with the same program and arguments share one run.
/// @param refused receives the reason why emucc does not compile the program
/// @return null when the checker could not run
const CaseResult* second_look(Work& work, const Case& c, std::string& refused) {
  if (work.context.toolchain.emucc.empty()) {
    work.note_once(fmt::format("{} for races and the like: there is no emucc here.", not_checked));
    return nullptr;
  }
  const Case small = at_checking_size(c);
  const std::string key = key_of(small);
  const auto known = work.checked.find(key);
  if (known != work.checked.end()) return &known->second;
  const BuildResult built = work.build_with(c.macros, Backend::emu, Instrument::check);
  if (!built.ok) {
    refused = first_error(built.diagnostics);
    return nullptr;
  }
  return &work.checked.emplace(key, work.look_at(small, built.program)).first->second;
}

/// Whether the checker also runs for this failed case. A mistake may show only in some cases, so a few failed
/// cases are checked, all with the same program.
bool may_ask_why(const Work& work, const Case& c) {
  constexpr int most_cases = 4;
  return work.asked_why == nullptr || (work.times_asked_why < most_cases && *work.asked_why == c.macros);
}

/// A finding that can make a result wrong. Uninitialised memory usually follows from a wrong index. So a
/// named pattern explains more than such a finding, unless the pattern itself is about such memory.
const Finding* cause_in(const CaseResult& looked, const CaseResult& failed) {
  const std::string pattern = failed.mismatch ? failed.mismatch->pattern : "";
  const std::set<std::string> of_such_memory = {"", "nan", "unwritten", "unfilled-shared"};
  const bool named = of_such_memory.count(pattern) == 0;
  const auto found =
      std::find_if(looked.findings.begin(), looked.findings.end(), [&](const Finding& finding) {
        const bool follows = finding.rule == "early-event" || (named && finding.rule == "uninitialised");
        return finding.error && !follows;
      });
  return found == looked.findings.end() ? nullptr : &*found;
}

/// A race between two lanes of a warp, whatever barrier is missing. Null if there is none.
const Finding* race_between_lanes(const std::vector<Finding>& findings) {
  const auto found = std::find_if(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.error && finding.rule == "race" && finding.between == "warp";
  });
  return found == findings.end() ? nullptr : &*found;
}

/// Whether a case's result is right if the lanes of each warp run in lockstep. Builds and runs the case's
/// program again. The run has no verdict and gives no points. It only shows whether the program relies on
/// that order.
bool is_right_in_step(Work& work, const Case& c) {
  const BuildResult built = work.build_with(c.macros, Backend::emu, Instrument::lockstep);
  if (!built.ok) return false;
  Case result_alone = c;
  result_alone.requirements.clear();
  result_alone.from_device = false;
  const CaseData data = work.data_of(c);
  const RunResult run = work.run(c, built.program, data);
  return judge(work.lab, result_alone, run, data, work.judging_emulation()).result.verdict == Verdict::passed;
}

/// The first wrong element of a case for which `grader view --element` can show how its value was computed.
/// The function tries this. Empty if no device array has the name and layout of the result, or if the
/// element's value in that array is right.
std::string element_with_story(Work& work, const Case& c, const CaseResult& failed) {
  const bool same_size = c.checked && *c.checked == c.args;
  if (work.context.backend != Backend::emu || !same_size || work.lab.output.is_printed() ||
      work.lab.output.layout() || !failed.mismatch || failed.mismatch->first.empty())
    return "";
  const ElementName element{work.lab.output.name(), failed.mismatch->first.front().index};
  const BuildResult built = work.build_with(c.macros, Backend::emu, Instrument::check);
  if (element.indices.empty() || !built.ok) return "";
  try {
    const Case small = at_checking_size(c);
    const Recording story =
        record_element(work.context.toolchain, work.context.submission, small, built.program,
                       work.data_of(small), work.scratch.path() / "run", element, work.context.machine);
    return story.expected.empty() || story.right ? "" : element.text();
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::usage) throw;
    return "";
  }
}

}  // namespace

void compile_checked(Work& work) {
  if (work.context.toolchain.emucc.empty()) return;
  std::vector<ProgramToBuild> programs;
  const std::shared_ptr<const Submission> submission(&work.context.submission, [](const Submission*) {});
  for (const CaseWork& one : work.cases)
    if (asks_second_look(one)) programs.push_back({submission, one.c.macros, {}, Instrument::check});
  if (programs.empty()) return;
  work.say("linking with the checker");
  work.build_programs(programs, Backend::emu);
}

void start_looks(Work& work) {
  const bool there_are_blanks = !work.grading.todo.empty();  // one case may show that the others needn't run
  if (work.context.looks_at_once < 2 || work.looking() != Backend::emu || work.program.empty() ||
      work.context.toolchain.emucc.empty() || there_are_blanks)
    return;
  std::vector<Case> cases;
  std::set<std::string> known;
  for (const auto& [key, result] : work.checked) known.insert(key);
  for (const CaseWork& one : work.cases) {
    if (work.check ? !one.c.runs_on(work.context.backend) : !asks_second_look(one)) continue;
    Case small = at_checking_size(one.c);
    if (work.check || known.insert(key_of(small)).second) cases.push_back(std::move(small));
  }
  work.looks.start(std::move(cases), work.context.looks_at_once);
}

bool run_under_checker(CaseWork& one) {
  Work& work = one.work;
  work.say("case " + one.c.id);
  one.result = work.look_at(one.c, one.program);
  work.remember(one.result);
  return true;
}

bool judge_no_findings(CaseWork& one) {
  if (!one.c.asks_checker()) return false;
  Work& work = one.work;
  work.say("case " + one.c.id + " under the checker");
  std::string refused;
  const CaseResult* const looked = second_look(work, one.c, refused);
  if (looked == nullptr)
    return !refused.empty() && fail_unwatched(one, "the program can't be checked", "--check", refused);
  const CaseResult& second = *looked;
  if (second.verdict == Verdict::passed) return false;
  if (says_nothing(second)) {
    work.note_once(fmt::format("{} to the end: {}", not_checked, second.message));
    return false;
  }
  one.result.right_before_check = true;
  one.result.next_step = second.next_step;
  one.result.message = second.message;
  one.result.ended = second.ended;
  one.result.findings = second.findings;
  one.result.checker_silent = second.findings.empty();
  one.result.verdict = second.verdict;
  one.result.times.clear();
  say_right_before_check(one.result, one.c,
                         fmt::format("grader check {}{}", work.lab.id, source_options(work.grading)));
  return true;
}

void explain_by_checker(CaseWork& one) {
  Work& work = one.work;
  CaseResult& result = one.result;
  const bool may_be_explained = result.verdict == Verdict::wrong_answer || result.verdict == Verdict::crash;
  const bool is_shown =
      one.c.visibility == Visibility::visible || work.context.submission.origin == Origin::solution;
  result.checker_silent = may_be_explained && !one.c.unchecked.empty();
  if (work.explained || !may_be_explained || !is_shown || !one.c.asks_checker()) return;
  if (!may_ask_why(work, one.c)) return;
  work.asked_why = &one.c.macros;
  ++work.times_asked_why;
  const CaseResult* looked = nullptr;
  std::string refused;
  try {
    looked = second_look(work, one.c, refused);
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::fault) throw;
    return;  // the cause is known without the checker
  }
  const Finding* cause = looked == nullptr ? nullptr : cause_in(*looked, result);
  if (cause == nullptr) {
    result.checker_silent = looked != nullptr && looked->findings.empty() && !says_nothing(*looked);
    if (looked != nullptr && work.times_asked_why == 1)
      result.element = element_with_story(work, one.c, result);
    return;
  }
  work.explained = true;
  if (const Finding* const race = race_between_lanes(looked->findings);
      race != nullptr && work.context.backend == Backend::emu && result.verdict == Verdict::wrong_answer &&
      is_right_in_step(work, one.c)) {
    cause = race;  // the race is proved, whatever else was found
    result.right_in_step = true;
  }
  // A content pattern only suggests a cause, so the proof replaces it. A pattern of places still helps.
  if (result.mismatch && meaning_of(result.mismatch->pattern) == PatternMeaning::content)
    result.mismatch->explanation.clear();
  const std::string failed = result.mismatch ? words_of_extent(one.c, *result.mismatch) : result.message;
  result.findings = looked->findings;
  result.cause = static_cast<std::size_t>(cause - looked->findings.data());
  say_cause(result, failed);
}

}  // namespace grader::steps
