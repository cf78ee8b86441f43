// Each of the three commands calls judge(), but on a different run: one uses only the checker, one also the
// tracer, and one also the recorder.
#include "author/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "base/scratch.hpp"
#include "check/checking.hpp"
#include "check/recording.hpp"
#include "check/tracing.hpp"

namespace grader {
namespace {

const CaseResult* result_of(const Grading& grading, const std::string& id) {
  const auto found = std::find_if(grading.cases.begin(), grading.cases.end(),
                                  [&](const CaseResult& one) { return one.id == id; });
  return found == grading.cases.end() ? nullptr : &*found;
}

/// One case at its checking size, and the program and inputs of its runs.
struct Asked {
  const Toolchain& toolchain;
  Submission submission;
  Lab lab;  ///< the lab with only this case
  fs::path program;
  CaseData data;
  ScratchFolder scratch;
  const Case& c() const { return lab.cases.front(); }
};

/// Compares a whole run under the checker with a grading, if both had the same arguments.
std::string against_grading(const CaseResult& graded, const CaseResult& checked, const Case& c) {
  const auto no = [&] {
    return fmt::format("grader says \"{}\" of case {}, and grader check \"{}\" ({})", words(graded.verdict),
                       c.id, words(checked.verdict), checked.message);
  };
  const bool passes = checked.verdict == Verdict::passed;
  if (graded.verdict == Verdict::wrong_answer || graded.verdict == Verdict::no_output ||
      graded.verdict == Verdict::crash || graded.verdict == Verdict::finding)
    return passes ? no() : "";
  return graded.verdict == Verdict::passed && c.asks_checker() && !passes ? no() : "";
}

/// Compares the result in the trace with that of `grader check`.
std::string against_check(const Trace& shown, const CaseResult& checked) {
  const Verdict verdict = shown.verdict.value_or(Verdict::grader_fault);
  if (verdict != checked.verdict || shown.message != checked.message)
    return fmt::format("grader view says \"{}\" ({}), and grader check \"{}\" ({})", words(verdict),
                       shown.message, words(checked.verdict), checked.message);
  if (checked.verdict == Verdict::passed && !shown.right)
    return "grader view calls the result wrong, and grader check lets the case pass";
  if (checked.verdict == Verdict::wrong_answer && shown.right)
    return "grader view calls the result right, and grader check calls it wrong";
  return "";
}

/// Compares what --element shows for one element of the result with the page.
std::string against_element(const Asked& asked, const TracedArray& array, std::size_t position) {
  const bool wrong = std::binary_search(array.wrong.begin(), array.wrong.end(), position);
  const ElementName element{array.name, array.shape.size() == 1 ? std::vector<std::size_t>{position}
                                                                : indices_of(position, array.shape)};
  const Recording story = record_element(asked.toolchain, asked.submission, asked.c(), asked.program,
                                         asked.data, asked.scratch.path() / "recorded", element);
  const bool is_right = story.right && story.in_result.empty();
  if (story.expected.empty() || is_right != wrong) return "";
  return fmt::format("grader view {}calls {} wrong, and with --element {}", wrong ? "" : "never ",
                     element.text(), is_right ? "right" : "wrong");
}

std::string against_elements(const Asked& asked, const Trace& shown) {
  for (const TracedArray& array : shown.arrays) {
    if (!array.output || array.expected.empty()) continue;
    std::size_t right = 0;
    while (right < array.wrong.size() && array.wrong[right] == right) ++right;
    std::vector<std::size_t> positions;
    if (!array.wrong.empty()) positions.push_back(array.wrong.front());
    if (right < array.expected.size()) positions.push_back(right);
    for (const std::size_t position : positions)
      if (std::string said = against_element(asked, array, position); !said.empty()) return said;
  }
  return "";
}

}  // namespace

std::optional<std::string> disagreement(const Kit& kit, const Toolchain& toolchain,
                                        const Submission& submission, const std::string& case_id,
                                        const Grading& graded) {
  const std::vector<Case>& all = submission.lab->cases;
  const auto named = std::find_if(all.begin(), all.end(), [&](const Case& one) { return one.id == case_id; });
  if (named == all.end()) return std::nullopt;
  const Case& c = *named;
  Asked asked{toolchain, submission, checkable_lab(*submission.lab),
              {},        {},         ScratchFolder(kit.state() / "work", "agreement")};
  std::erase_if(asked.lab.cases, [&](const Case& one) { return one.id != c.id; });
  const BuildResult built = build(kit, toolchain, submission, Backend::emu, c.macros, Instrument::check);
  if (asked.lab.cases.empty() || !built.ok) return std::nullopt;
  asked.submission.lab = &asked.lab;
  asked.program = built.program;
  const Grading checks = check({kit, toolchain, asked.submission, Backend::emu, {}});
  const CaseResult* const checked = result_of(checks, c.id);
  const CaseResult* const of_grading = result_of(graded, c.id);
  if (checked == nullptr) return std::nullopt;
  if (of_grading != nullptr && asked.c().args == c.args)
    if (std::string said = against_grading(*of_grading, *checked, c); !said.empty()) return said;
  asked.data = prepare_case(kit, asked.lab, asked.c(), build_oracle(kit, toolchain, asked.lab),
                            asked.scratch.path() / "data");
  Trace shown;
  try {
    shown = trace_case(toolchain, asked.submission, asked.c(), asked.program, asked.data,
                       asked.scratch.path() / "traced", 16);
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::usage) throw;
    return "";  // nothing was recorded, so there is no answer to compare
  }
  if (std::string said = against_check(shown, *checked); !said.empty()) return said;
  return against_elements(asked, shown);
}

std::vector<std::string> one_of_each_kind(const std::vector<WrongSolution>& all) {
  std::set<std::tuple<Verdict, bool, bool>> known;
  std::vector<std::string> names;
  for (const WrongSolution& one : all)
    if (known.insert({one.verdict, one.finding.rule.empty(), one.pattern.empty()}).second)
      names.push_back(one.name);
  return names;
}

}  // namespace grader
