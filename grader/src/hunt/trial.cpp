// The program belongs to no lab, so an empty lab gives the run its name and its limits.
#include "hunt/trial.hpp"

#include <fmt/format.h>

#include "base/columns.hpp"
#include "check/tracing.hpp"
#include "judge/judge.hpp"

namespace grader {
namespace {

constexpr int blocks_traced = 64;  // recorded blocks of each launch: more than any hunt has

const Lab& no_lab() {
  static const Lab lab = [] {
    Lab out;
    out.id = out.name = "hunt";
    return out;
  }();
  return lab;
}

}  // namespace

Trial HuntBench::run(const std::string& file, const std::string& text, const fs::path& folder) const {
  Submission submission;
  submission.lab = &no_lab();
  submission.files = {{"hunt.cuh", hunts_.header}, {file, text}};
  summarise(submission);
  Trial out;
  const BuildResult built = build(kit_, toolchain_, submission, Backend::emu, {}, Instrument::check);
  out.compiles = built.ok;
  out.diagnostics = built.diagnostics;
  if (!built.ok) return out;
  const CheckedRun checked = run_checked_as(fmt::format("limit=0,trace={}", blocks_traced), toolchain_,
                                            submission, Case{}, built.program, {}, folder, this_machine());
  const ProcessResult& process = checked.run.process;
  out.printed = printable(process.out, true);
  while (out.printed.ends_with('\n')) out.printed.pop_back();
  out.right = process.ok() && out.printed.ends_with("are right");
  if (!ends_in_order(checked.run) || process.code > 1)
    out.printed += fmt::format("{}The program {}.", out.printed.empty() ? "" : "\n", describe_end(process));
  for (const Finding& finding : checked.findings.value_or(std::vector<Finding>()))
    if (finding.error) out.findings.push_back(finding);
  if (const auto report = checked.run.reports.find("trace"); report != checked.run.reports.end())
    out.trace = read_trace(report->second, TraceContext{submission.files, {}, "", out.findings});
  return out;
}

}  // namespace grader
