// The checker writes its report to the folder of the run's files. compute-sanitizer runs the program once for each
// tool.
#include "check/checking.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "check/sanitizer.hpp"
#include "judge/judge.hpp"

namespace grader {
namespace {

constexpr const char* sanitizer_report = ".sanitizer.txt";
constexpr std::uintmax_t largest_report = 4 << 20, largest_log = 16 << 20;
constexpr double sanitizer_patience = 3;  // compute-sanitizer checks every access on the device

/// Drops leaks if there is an error, because a program that stops at the error can't free its memory.
void drop_leaks(std::vector<Finding>& findings) {
  findings.erase(std::remove_if(findings.begin(), findings.end(),
                                [](const Finding& finding) { return finding.rule == "leak"; }),
                 findings.end());
}

}  // namespace

namespace {

/// The cases that have a checking size. If no case has one, the visible cases of the emulation.
std::vector<const Case*> checkable(const Lab& lab) {
  std::vector<const Case*> named, others;
  for (const Case& c : lab.cases) {
    if (c.checked)
      named.push_back(&c);
    else if (c.visibility == Visibility::visible && c.runs_on(Backend::emu))
      others.push_back(&c);
  }
  return named.empty() ? others : named;
}

/// Whether case a, and not case b, represents both. A visible case is preferred, then a case with its own
/// size as the checking size.
bool speaks_better(const Case& a, const Case& b) {
  const auto rank = [](const Case& c) {
    return 2 * (c.visibility == Visibility::visible) + (c.args == *c.checked);
  };
  return rank(a) > rank(b);
}

}  // namespace

Case at_checking_size(const Case& c) {
  Case out = c;
  out.requirements.clear();
  out.from_device = false;
  if (!c.checked || *c.checked == c.args) return out;
  return with_arguments(std::move(out), *c.checked);
}

bool checked_alike(const Case& a, const Case& b) {
  const Case small_a = at_checking_size(a), small_b = at_checking_size(b);
  return small_a.args == small_b.args && small_a.macros == small_b.macros;
}

Lab checkable_lab(const Lab& lab) {
  Lab out = lab;
  out.cases.clear();
  for (const Case* c : checkable(lab)) out.cases.push_back(at_checking_size(*c));
  return out;
}

Lab checking_lab(const Lab& lab) {
  std::vector<const Case*> chosen;
  for (const Case* c : checkable(lab)) {
    const auto same = std::find_if(chosen.begin(), chosen.end(),
                                   [&](const Case* other) { return checked_alike(*other, *c); });
    if (!c->checked || same == chosen.end())
      chosen.push_back(c);
    else if (speaks_better(*c, **same))
      *same = c;
  }
  Lab out = lab;
  out.cases.clear();
  for (const Case* c : chosen) out.cases.push_back(at_checking_size(*c));
  return out;
}

CheckedRun run_checked(const Toolchain& toolchain, const Submission& submission, const Case& c,
                       const fs::path& program, const CaseData& data, const fs::path& work_folder,
                       const Machine& machine, bool strict) {
  return run_checked_as(strict ? "limit=0,strict" : "limit=0", toolchain, submission, c, program, data,
                        work_folder, machine);
}

CheckedRun run_checked_as(const std::string& settings, const Toolchain& toolchain,
                          const Submission& submission, const Case& c, const fs::path& program,
                          const CaseData& data, const fs::path& work_folder, const Machine& machine) {
  RunTool tool;
  tool.settings["CUEMU_CHECK"] = settings;
  tool.files = submission.files;  // the checker quotes their lines, and takes names of arrays from them
  CheckedRun checked;
  checked.run =
      run_case(toolchain, *submission.lab, c, Backend::emu, program, data, work_folder, tool, machine);
  const auto report = checked.run.reports.find("findings");
  if (report != checked.run.reports.end() && report->second.size() <= largest_report)
    checked.findings = read_findings(report->second, submission.files);
  if (checked.findings && !ends_in_order(checked.run)) drop_leaks(*checked.findings);
  return checked;
}

CheckedRun run_sanitizers(const Toolchain& toolchain, const Submission& submission, const Case& c,
                          const fs::path& program, const CaseData& data, const fs::path& work_folder,
                          const Machine& machine) {
  RunTool tool;
  tool.profile = false;  // the profiler would be a second tool in the program
  tool.patience = sanitizer_patience;
  tool.environment["LAB_OWN_MEMORY"] = "1";
  tool.syscalls = Syscalls::all;  // the tool may have to trace the program
  std::error_code unknown;
  tool.read_only = {fs::canonical(toolchain.sanitizer, unknown).parent_path().parent_path()};
  CheckedRun checked;
  for (const SanitizerTool& sanitizer : sanitizer_tools) {
    tool.wrapper = sanitizer_command(toolchain, sanitizer, sanitizer_report);
    RunResult run =
        run_case(toolchain, *submission.lab, c, Backend::gpu, program, data, work_folder, tool, machine);
    const auto found = read_sanitizer_report(run.left->read(sanitizer_report, largest_log), submission,
                                             own_memory(run.process.err));
    if (&sanitizer == &sanitizer_tools.front()) checked.run = std::move(run);
    if (!found) continue;
    if (!checked.findings) checked.findings.emplace();
    for (Finding finding : *found) {
      finding.notes.push_back(fmt::format("found by compute-sanitizer --tool {}", sanitizer.name));
      const bool known = std::any_of(checked.findings->begin(), checked.findings->end(),
                                     [&](const Finding& other) { return same_finding(other, finding); });
      if (!known) checked.findings->push_back(std::move(finding));
    }
  }
  if (checked.findings && !ends_in_order(checked.run)) drop_leaks(*checked.findings);
  return checked;
}

void judge_findings(CaseResult& result, const CheckedRun& checked) {
  if (!checked.findings) {
    if (result.verdict != Verdict::passed) return;  // the verdict already says why the program ended
    result.verdict = Verdict::no_output;
    result.message = "The checker left no report, which it writes when main returns.";
    result.next_step = "let the program end by returning from main, not by _exit()";
    return;
  }
  result.findings = *checked.findings;
  if (result.verdict == Verdict::todo || !any_error(result.findings)) return;
  say_findings(result);
  result.ended.reset();     // the mistake caused this end
  result.mismatch.reset();  // the mistake caused this mismatch, too
  result.output_excerpt.clear();
}

void say_findings(CaseResult& result) {
  const auto mistakes = std::count_if(result.findings.begin(), result.findings.end(),
                                      [](const Finding& finding) { return finding.error; });
  const Finding& first = *std::find_if(result.findings.begin(), result.findings.end(),
                                       [](const Finding& finding) { return finding.error; });
  result.verdict = Verdict::finding;
  result.message =
      fmt::format("{}{}: {}.", mistakes == 1 ? "" : fmt::format("{} mistakes, the first: ", mistakes),
                  first.rule, first.headline);
  result.next_step = first.hint;
}

void say_cause(CaseResult& result, const std::string& failed) {
  const Finding& cause = result.findings.at(*result.cause);
  const std::string in_step =
      result.right_in_step
          ? " With the lanes of each warp in step (emucc --lockstep) the result is right: the code relies on "
            "that, which CUDA does not promise."
          : "";
  const std::string pattern = result.mismatch ? result.mismatch->explanation : "";
  result.message = fmt::format("{} The checker found why: {}: {}.{}{}{}", failed, cause.rule, cause.headline,
                               in_step, pattern.empty() ? "" : " ", pattern);
  if (!cause.hint.empty()) result.next_step = cause.hint;
}

void say_right_before_check(CaseResult& result, const Case& c, const std::string& otherwise) {
  const Case small = at_checking_size(c);
  const std::string how = small.args == c.args ? "under the checker"
                                               : fmt::format("under the checker, which runs the case with {}",
                                                             fmt::join(small.args, " "));
  result.message = fmt::format("the output is right, but {}: {}", how, result.message);
  if (result.next_step.empty()) result.next_step = otherwise;
}

std::string blind_spots(const std::string& check) {
  return fmt::format(
      "compute-sanitizer looks for races in shared memory alone: it sees none in global memory, between "
      "blocks "
      "or between streams, nor a shared array's overflow into the next one. The checker in emulation sees "
      "them: "
      "{} --backend emu",
      check);
}

}  // namespace grader
