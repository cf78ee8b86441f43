// What is done for each case. A step that returns true has given the case its verdict.
#include <fmt/format.h>

#include <algorithm>

#include "base/terminal.hpp"
#include "grade/steps.hpp"
#include "model/table.hpp"

namespace grader::steps {
namespace {

/// Then the cases that are left are taken to run out of time too: a student who wrote an endless loop should
/// not wait for each.
constexpr int most_time_outs = 2;

/// A verdict without a run.
bool settle(CaseWork& one, Verdict verdict, std::string message) {
  one.result.verdict = verdict;
  one.result.message = std::move(message);
  return true;
}

/// The first blank among the parts that a case proves.
const Todo* blank_of(const Case& c, const std::vector<Todo>& todo) {
  for (const Todo& t : todo) {
    if (c.parts.empty() || std::find(c.parts.begin(), c.parts.end(), t.part) != c.parts.end()) return &t;
  }
  return nullptr;
}

/// "-DBLOCK_SIZE=8 -DUNROLL=4": how a student would compile the case's program.
std::string macro_options(const Case& c) {
  std::string options;
  for (const auto& [name, value] : c.macros)
    options += fmt::format("{}-D{}={}", options.empty() ? "" : " ", name, value);
  return options;
}

/// The program that a case runs: one of its own where it has macros. Empty when that does not compile.
fs::path program_of(Work& work, const Case& c) {
  if (c.macros.empty()) return work.program;
  const BuildResult built = work.build_with(c.macros, work.context.backend, work.instrument());
  if (built.ok) return built.program;
  if (work.grading.diagnostics.empty()) work.grading.diagnostics = built.diagnostics;
  return {};
}

CaseData data_of(Work& work, const Case& c) {
  if (c.verify != Verify::gold && !work.oracle_fault.empty())
    throw Error(ErrorKind::fault, work.oracle_fault);
  return prepare_case(work.context.kit, work.lab, c, work.oracle, work.scratch.path() / "data",
                      work.context.machine);
}

/// A run under the checker in emulation, or under compute-sanitizer.
CheckedRun run_watched(Work& work, Backend backend, const Case& c, const fs::path& program,
                       const CaseData& data) {
  const CheckedRun checked = (backend == Backend::emu ? run_checked : run_sanitizers)(
      work.context.toolchain, work.context.submission, c, program, data, work.scratch.path() / "run",
      work.context.machine);
  work.stop_if_interrupted();
  work.grading.run_s += checked.run.wall_s;
  return checked;
}

/// Median of three runs' kernel times with a case's data; none when a run fails or leaves no times.
std::optional<double> kernel_time(Work& work, const Case& c, const CaseData& data) {
  const fs::path program = program_of(work, c);
  Measurement times;
  for (int i = 0; i < 3 && !program.empty(); ++i) {
    const RunResult run = work.run(c, program, data);
    const auto seconds = measured_seconds(run.profile, {Measure::Kind::kernel});
    if (!run.process.ok() || !seconds) return std::nullopt;
    times.samples.push_back(*seconds);
  }
  if (times.samples.empty()) return std::nullopt;
  return times.median();
}

/// What the loop over the cases has to know of a run.
void remember(CaseWork& one) {
  Work& work = one.work;
  if (one.result.verdict == Verdict::time_out) ++work.time_outs;
  // Blanks that the program does not come to (dead code) keep nobody from the other cases.
  if (!work.any_ran) work.still_to_do = one.result.verdict == Verdict::todo && !work.grading.todo.empty();
  work.any_ran = true;
}

}  // namespace

bool other_backend(CaseWork& one) {
  if (runs_on(one.c, one.work.context.backend)) return false;
  if (one.work.program.empty()) return settle(one, Verdict::unsupported, "not run");
  return settle(one, Verdict::unsupported,
                one.work.context.backend == Backend::emu ? "This case runs on a GPU only."
                                                         : "This case runs in emulation only.");
}

bool nothing_compiled(CaseWork& one) {
  return one.work.program.empty() && settle(one, Verdict::compile_error, "not run");
}

bool part_to_do(CaseWork& one) {
  const Todo* blank = blank_of(one.c, one.work.grading.todo);
  return one.work.still_to_do && blank != nullptr &&
         settle(one, Verdict::todo, fmt::format("Not run: part {} is still to do.", blank->part));
}

bool enough_time_outs(CaseWork& one) {
  return one.work.time_outs >= most_time_outs &&
         settle(one, Verdict::time_out,
                fmt::format("Not run, since {} cases ran out of time.", one.work.time_outs));
}

bool make_data(CaseWork& one) {
  one.work.say("case " + one.c.id);
  one.data = data_of(one.work, one.c);
  return false;
}

bool choose_program(CaseWork& one) {
  one.program = program_of(one.work, one.c);
  return one.program.empty() &&
         settle(one, Verdict::compile_error, fmt::format("does not compile with {}", macro_options(one.c)));
}

bool run_program(CaseWork& one) {
  one.run = one.work.run(one.c, one.program, one.data);
  return false;
}

bool judge_run(CaseWork& one) {
  CaseResult& result = one.result;
  result = judge(one.work.lab, one.c, one.run, one.data, one.work.judging);
  remember(one);
  if (result.verdict == Verdict::passed) return false;
  if (result.verdict != Verdict::todo && !one.c.macros.empty())
    result.message = fmt::format("compiled with {}: {}", macro_options(one.c), result.message);
  return true;
}

bool judge_near_best(CaseWork& one) {
  const NearBest& asked = one.c.near_best;
  if (asked.within <= 0) return false;
  const auto own = kernel_time(one.work, one.c, one.data);
  std::optional<double> best;
  for (const auto& macros : asked.of) {
    Case other = one.c;
    other.macros = macros;
    const auto seconds = kernel_time(one.work, other, one.data);
    if (seconds && (!best || *seconds < *best)) best = seconds;
  }
  if (!own || !best || *own <= asked.within * *best) return false;
  one.result.next_step = fmt::format("grader table {} --search", one.work.lab.id);
  return settle(
      one, Verdict::requirement_failed,
      fmt::format("the output is right, but: the kernel takes {}, and with another combination of the "
                  "macros {} on this device: {:.2f} times as long, of which at most {:.2f} are allowed.",
                  human_time(*own), human_time(*best), *own / *best, asked.within));
}

/// A passed case's second run, under the checker and at its checking size. It is in emulation on every
/// machine: a race that a GPU happens to win is found all the same.
bool judge_no_findings(CaseWork& one) {
  if (!wants_no_findings(one.c)) return false;
  Work& work = one.work;
  const bool can_be = !work.context.toolchain.emucc.empty();
  const BuildResult built =
      can_be ? work.build_with(one.c.macros, Backend::emu, Instrument::check) : BuildResult{};
  if (!built.ok) {
    work.grading.notes.push_back(
        fmt::format("Case {} was not checked for findings: {}.", one.c.id,
                    can_be ? "emucc does not compile the program" : "there is no emucc here"));
    return false;
  }
  const Case small = at_checking_size(one.c);
  const CaseData data = data_of(work, small);
  const CheckedRun checked = run_watched(work, Backend::emu, small, built.program, data);
  CaseResult second = judge(work.lab, small, checked.run, data, JudgeContext{});
  judge_findings(second, checked);
  if (second.verdict == Verdict::passed) return false;
  if (second.verdict == Verdict::time_out) ++work.time_outs;
  one.result.next_step = fmt::format("grader check {}", work.lab.id);
  one.result.findings = std::move(second.findings);
  return settle(one, second.verdict,
                fmt::format("the output is right, but under the checker: {}", second.message));
}

bool keep_times(CaseWork& one) {
  if (one.c.visibility != Visibility::visible) return true;
  const Profile& profile = one.run.profile;
  for (const auto kind : {Measure::Kind::h2d, Measure::Kind::kernel, Measure::Kind::d2h}) {
    const Measure measure{kind};
    if (const auto seconds = measured_seconds(profile, measure)) one.result.times[measure] = *seconds;
  }
  if (one.result.times.empty()) return true;
  Grading& grading = one.work.grading;
  grading.time_source = time_source(profile);
  if (one.work.context.backend == Backend::gpu && !profile.device.empty()) grading.device = profile.device;
  return true;
}

bool run_under_checker(CaseWork& one) {
  const CheckedRun checked = run_watched(one.work, one.work.context.backend, one.c, one.program, one.data);
  one.result = judge(one.work.lab, one.c, checked.run, one.data, one.work.judging);
  judge_findings(one.result, checked);
  remember(one);
  return true;
}

}  // namespace grader::steps
