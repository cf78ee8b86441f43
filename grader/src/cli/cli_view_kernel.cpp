// Runs a case at its checking size, in emulation under the checker, which records the work of the first blocks.
#include "cli/cli_view_kernel.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "base/scratch.hpp"
#include "check/checking.hpp"
#include "check/tracing.hpp"
#include "model/json.hpp"
#include "report/report_trace.hpp"
#include "view/film_page.hpp"
#include "view/kernel_page.hpp"

namespace grader {
namespace {

constexpr std::size_t most_blocks = 16;  // recorded blocks of each launch
constexpr int most_cases = 4;            // cases that are tried at most, to find one that fails

/// Builds one case's program, and runs it under the tracer.
Trace trace_of(Session& session, const Submission& submission, const Case& c, const fs::path& folder) {
  const fs::path program = built_program(session, submission, Backend::emu, c.macros, Instrument::check);
  const Lab& lab = *submission.lab;
  const CaseData data = prepare_case(session.kit(), lab, c,
                                     build_oracle(session.kit(), session.toolchain(), lab), folder / "data");
  return trace_case(session.toolchain(), submission, c, program, data, folder / "run", most_blocks);
}

/// The trace of the first case that shows a mistake, of those with the same program. If there is none, the
/// trace of the first case.
Trace choose_trace(Session& session, const Submission& submission, const KernelOptions& o,
                   const fs::path& folder) {
  const Lab lab = checkable_lab(*submission.lab);
  CaseChoice which = o.which;
  if (which.id.empty() && lab.view) which.id = lab.view->case_id;
  const Case first = which.choose(lab, Backend::emu, "view");
  Trace chosen = trace_of(session, submission, first, folder / "0");
  if (!o.which.id.empty() || shows_a_mistake(chosen)) return chosen;
  int tried = 0;
  for (const Case& c : lab.cases) {
    if (c.id == first.id || c.visibility != Visibility::visible || !c.runs_on(Backend::emu) ||
        c.macros != first.macros || c.args == first.args)
      continue;
    if (++tried == most_cases) break;
    Trace other = trace_of(session, submission, c, folder / std::to_string(tried));
    if (shows_a_mistake(other)) return other;
  }
  return chosen;
}

/// Writes text to a file. write_file() replaces a file, so it can't write to a device such as /dev/stderr.
void write_words(const fs::path& to, const std::string& words) {
  std::error_code unknown;
  if (!fs::exists(to, unknown) || fs::is_regular_file(to, unknown)) return write_file(to, words);
  if (!(std::ofstream(to) << words << std::flush))
    throw Error(ErrorKind::environment, fmt::format("{} can't be written.", shown(to)),
                "Name another file with -o.");
}

}  // namespace

KernelView view_kernel(Session& session, const KernelOptions& o) {
  const Lab& lab = o.lab.find(session);
  if (o.source.backend == to_string(Backend::gpu))
    throw Error(ErrorKind::usage, "Only emulation records the steps of a kernel, not a GPU.",
                fmt::format("grader view {}", o.lab.ref));
  if (o.which.arguments)
    throw Error(ErrorKind::usage, "A kernel is shown in one of the lab's cases, at its checking size.",
                fmt::format("grader view {} --case ID", lab.id));
  const fs::path to = o.to.empty() && o.format.empty() ? fs::path(lab.id + ".html") : fs::path(o.to);
  if (o.format.empty()) need_page_place(to, o.replace);
  const Submission submission = o.source.read(session, lab, o.lab.level_or_first());
  ProgressLine line(!session.json && o.format.empty());
  line.update("running", 0, 2);
  const ScratchFolder scratch(session.kit().state() / "work", "view");
  const Trace trace = choose_trace(session, submission, o, scratch.path());
  line.update("", 2, 2);
  return show_trace(
      session, trace,
      {.format = o.format,
       .to = to,
       .title = fmt::format("{}: {}", lab.id, lab.title),
       .name = fmt::format("{}, case {} ({})", lab.id, trace.case_id, fmt::join(trace.args, " ")),
       .replace = o.replace});
}

KernelView show_trace(Session& session, const Trace& trace, const TraceOutput& o) {
  if (!o.format.empty()) {
    const std::string words = o.format == "json" ? json_text(to_json(trace)) + "\n"
                                                 : trace_text(trace, o.to.empty() ? session.style : Style());
    if (o.to.empty())
      session.print(words);
    else
      write_words(o.to, words);
    return {};
  }
  const std::string page = kernel_page(json_text(to_json(trace), -1), o.title);
  write_page(o.to, page, o.replace);
  if (session.json) {
    session.answer(nlohmann::json{{"format", 1},
                                  {"kind", "view"},
                                  {"page", fs::absolute(o.to).string()},
                                  {"bytes", page.size()},
                                  {"case", trace.case_id},
                                  {"findings", trace.findings.size()},
                                  {"right", trace.judged ? nlohmann::json(trace.right) : nullptr}});
    return {o.to};
  }
  session.print(
      wrap(fmt::format("{}: {} ({})", o.name, shown(o.to), human_bytes(static_cast<double>(page.size()))),
           session.style.width) +
      "\n");
  if (!trace.end.empty())
    session.print(wrap(fmt::format("The program {}.", trace.end), session.style.width) + "\n");
  for (const std::string& sentence : left_out_of(trace))
    session.print(wrap(sentence, session.style.width) + "\n");
  for (const Finding& finding : trace.findings)
    session.print(
        wrap(fmt::format("  {}: {}", finding.rule, printable(finding.headline)), session.style.width, 4) +
        "\n");
  return {o.to};
}

}  // namespace grader
