// Joins the steps for one submission. Each case is prepared, run and judged by itself: a fault in one does
// not hide the others.
#include "grade/grade.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <future>

#include "base/scratch.hpp"
#include "base/terminal.hpp"
#include "check/checking.hpp"
#include "check/sanitizer.hpp"
#include "grade/judge.hpp"
#include "model/table.hpp"

namespace grader {
namespace {

using Clock = std::chrono::steady_clock;

/// Then the cases that are left are taken to run out of time too: a student who wrote an endless loop should
/// not wait for each.
constexpr int most_time_outs = 2;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void stop_if_interrupted() {
  if (interrupted()) throw Error(ErrorKind::environment, "Interrupted; nothing was recorded.");
}

bool runs_on(const Case& c, Backend backend) {
  return std::find(c.backends.begin(), c.backends.end(), backend) != c.backends.end();
}

/// A case that was not run.
CaseResult not_run(const Case& c, Verdict verdict, std::string message) {
  CaseResult result;
  result.id = c.id;
  result.visibility = c.visibility;
  result.verdict = verdict;
  result.message = std::move(message);
  return result;
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

/// Leaves a hidden case its verdict alone.
void hide_details(CaseResult& result) {
  result.message.clear();
  result.next_step.clear();
  result.mismatch.reset();
  result.output_excerpt.clear();
  result.findings.clear();
}

/// One grading at work.
class Flow {
 public:
  /// @param check look for mistakes instead of giving points; the submission's lab is then a checking_lab()
  Flow(const Kit& kit, const Toolchain& toolchain, const Submission& submission, Backend backend,
       const Progress& progress, bool check)
      : kit_(kit),
        toolchain_(toolchain),
        submission_(submission),
        lab_(*submission.lab),
        check_(check),
        progress_(progress),
        scratch_(kit.state() / "work", "grading"),
        context_{backend, backend == Backend::emu || (!check && !toolchain.profile_library.empty())} {
    grading_.check = check;
    grading_.lab = lab_.id;
    grading_.level = submission.level;
    grading_.origin = submission.origin;
    grading_.submission = submission.folder.string();
    grading_.sources_sha256 = submission.sha256;
    grading_.backend = backend;
    grading_.device = toolchain.device(backend);
    grading_.started_at = utc_now();
    grading_.todo = submission.todo;
  }

  Grading run() {
    const auto start = Clock::now();
    if (build_program()) {
      note_environment();
      run_cases();
    } else {
      for (const Case& c : lab_.cases) {
        grading_.cases.push_back(runs_on(c, context_.backend) ? not_run(c, Verdict::compile_error, "not run")
                                                              : not_run(c, Verdict::unsupported, "not run"));
      }
    }
    grading_.verdict = Verdict::compile_error;  // stands where the lab has no case at all
    score(lab_, grading_);
    grading_.total_s = seconds_since(start);
    return std::move(grading_);
  }

 private:
  void say(const std::string& step) const {
    const int steps = static_cast<int>(lab_.cases.size()) + 1;
    if (progress_)
      progress_(step, static_cast<int>(grading_.cases.size()) + (program_.empty() ? 0 : 1), steps);
  }

  /// Compiles all that the cases will run, the oracle beside the submission:
  /// what is timed has the machine for itself then.
  bool build_program() {
    say("compiling " + lab_.id);
    std::future<fs::path> oracle;
    if (oracle_needed())
      oracle = std::async(std::launch::async, [this] { return build_oracle(kit_, toolchain_, lab_); });
    const BuildResult result = build(kit_, toolchain_, submission_, context_.backend, {}, instrument());
    stop_if_interrupted();
    grading_.build_s = result.wall_s;
    grading_.diagnostics = result.diagnostics;
    if (!result.ok) return false;
    program_ = result.program;
    build_programs_of_cases();
    if (oracle.valid()) {
      say("compiling the oracle of " + lab_.id);
      try {
        oracle_ = oracle.get();
      } catch (const Error& e) {
        if (e.kind() != ErrorKind::fault) throw;
        oracle_fault_ = e.what();
      }
    }
    stop_if_interrupted();
    return true;
  }

  bool oracle_needed() const {
    return std::any_of(lab_.cases.begin(), lab_.cases.end(), [&](const Case& c) {
      const bool drawn =
          c.check != Check::gold || (wants_no_findings(c) && at_checking_size(c).check != Check::gold);
      return drawn && runs_on(c, context_.backend);
    });
  }

  /// Those of cases with macros, at the same time. Not where something is still to do: most cases won't run.
  void build_programs_of_cases() {
    if (!grading_.todo.empty()) return;
    std::vector<ProgramToBuild> programs;
    const std::shared_ptr<const Submission> submission(&submission_, [](const Submission*) {});
    for (const Case& c : lab_.cases)
      if (runs_on(c, context_.backend) && !c.macros.empty())
        programs.push_back({submission, c.macros, {}, instrument()});
    if (programs.empty()) return;
    const auto start = Clock::now();
    build_all(kit_, toolchain_, context_.backend, programs, interrupted, {});
    stop_if_interrupted();
    grading_.build_s += seconds_since(start);
  }

  void note_environment() {
    const SandboxStatus& sandbox = sandbox_status();
    if (!sandbox.works) {
      grading_.notes.push_back(fmt::format("The program ran unprotected: {}{}", sandbox.reason,
                                           sandbox.mend.empty() ? "" : " (" + sandbox.mend + ")"));
    }
    if (check_ && context_.backend == Backend::gpu) {
      grading_.notes.push_back(blind_spots(lab_));
    } else if (!context_.profile_expected) {
      grading_.notes.push_back(
          "libcuda_lab_profile.so is not there: times are the program's own, and what it did on the device "
          "was not checked (grader doctor).");
    }
  }

  void run_cases() {
    bool first = true;
    bool still_to_do = false;
    int time_outs = 0;
    for (const Case& c : lab_.cases) {
      stop_if_interrupted();
      if (!runs_on(c, context_.backend)) {
        grading_.cases.push_back(not_run(c, Verdict::unsupported,
                                         context_.backend == Backend::emu
                                             ? "This case runs on a GPU only."
                                             : "This case runs in emulation only."));
        continue;
      }
      const Todo* blank = blank_of(c, grading_.todo);
      if (still_to_do && blank != nullptr) {
        grading_.cases.push_back(
            not_run(c, Verdict::todo, fmt::format("Not run: part {} is still to do.", blank->part)));
        continue;
      }
      if (time_outs >= most_time_outs) {
        grading_.cases.push_back(not_run(c, Verdict::time_out,
                                         fmt::format("Not run, since {} cases ran out of time.", time_outs)));
        continue;
      }
      say("case " + c.id);
      CaseResult result = run_case_safely(c);
      // Blanks that the program does not come to (dead code) keep nobody from the other cases.
      if (first) still_to_do = result.verdict == Verdict::todo && !grading_.todo.empty();
      first = false;
      if (result.verdict == Verdict::time_out) ++time_outs;
      if (c.visibility != Visibility::visible && submission_.origin != Origin::solution) hide_details(result);
      grading_.cases.push_back(std::move(result));
    }
  }

  /// What is the kit's own fault becomes the case's verdict; other errors go on to the user.
  CaseResult run_case_safely(const Case& c) {
    try {
      if (!oracle_fault_.empty() && c.check != Check::gold) throw Error(ErrorKind::fault, oracle_fault_);
      return run_one(c);
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::fault) throw;
      CaseResult result = not_run(c, Verdict::grader_fault, e.what());
      result.next_step = "report this to whoever maintains the kit; it costs you nothing";
      return result;
    }
  }

  CaseResult run_one(const Case& c) {
    const CaseData data = prepare_case(kit_, lab_, c, oracle_, scratch_.path() / "data");
    stop_if_interrupted();
    const fs::path program = program_of(c);
    if (program.empty())
      return not_run(c, Verdict::compile_error, fmt::format("does not compile with {}", macro_options(c)));
    if (check_) return check_one(c, program, data);
    const RunResult run =
        run_case(toolchain_, lab_, c, context_.backend, program, data, scratch_.path() / "run");
    stop_if_interrupted();
    grading_.run_s += run.wall_s;
    CaseResult result = judge(lab_, c, run, data, context_);
    if (result.verdict != Verdict::passed && result.verdict != Verdict::todo && !c.macros.empty())
      result.message = fmt::format("compiled with {}: {}", macro_options(c), result.message);
    if (result.verdict == Verdict::passed && c.near_best.within > 0) judge_near_best(c, data, result);
    if (result.verdict == Verdict::passed && wants_no_findings(c)) judge_no_findings(c, result);
    if (result.verdict == Verdict::passed && c.visibility == Visibility::visible)
      keep_times(result, run.profile);
    return result;
  }

  /// A case under the checker.
  CaseResult check_one(const Case& c, const fs::path& program, const CaseData& data) {
    const fs::path folder = scratch_.path() / "run";
    const CheckedRun checked = context_.backend == Backend::emu
                                   ? run_checked(toolchain_, submission_, c, program, data, folder)
                                   : run_sanitizers(toolchain_, submission_, c, program, data, folder);
    stop_if_interrupted();
    grading_.run_s += checked.run.wall_s;
    CaseResult result = judge(lab_, c, checked.run, data, context_);
    judge_findings(result, checked);
    return result;
  }

  static bool wants_no_findings(const Case& c) {
    return std::count(c.requirements.begin(), c.requirements.end(), Requirement::no_findings) > 0;
  }

  /// A passed case's second run, under the checker and at its checking size. It is in emulation on every
  /// machine: a race that a GPU happens to win is found all the same.
  void judge_no_findings(const Case& c, CaseResult& result) {
    const Case small = at_checking_size(c);
    const BuildResult built = toolchain_.emucc.empty() ? BuildResult{}
                                                       : build(kit_, toolchain_, submission_, Backend::emu,
                                                               c.macros, Instrument::check);
    stop_if_interrupted();
    grading_.build_s += built.wall_s;
    if (!built.ok) {
      grading_.notes.push_back(fmt::format(
          "Case {} was not checked for findings: {}.", c.id,
          toolchain_.emucc.empty() ? "there is no emucc here" : "emucc does not compile the program"));
      return;
    }
    const CaseData data = prepare_case(kit_, lab_, small, oracle_, scratch_.path() / "data");
    const CheckedRun checked =
        run_checked(toolchain_, submission_, small, built.program, data, scratch_.path() / "run");
    stop_if_interrupted();
    grading_.run_s += checked.run.wall_s;
    CaseResult second = judge(lab_, small, checked.run, data, JudgeContext{});
    judge_findings(second, checked);
    if (second.verdict == Verdict::passed) return;
    result.verdict = second.verdict;
    result.message = fmt::format("the output is right, but under the checker: {}", second.message);
    result.next_step = fmt::format("grader check {}", lab_.id);
    result.findings = std::move(second.findings);
  }

  Instrument instrument() const {
    return check_ && context_.backend == Backend::emu ? Instrument::check : Instrument::none;
  }

  /// The program that a case runs: one of its own where it has macros. Empty when that does not compile.
  fs::path program_of(const Case& c) {
    if (c.macros.empty()) return program_;
    const BuildResult result = build(kit_, toolchain_, submission_, context_.backend, c.macros, instrument());
    stop_if_interrupted();
    grading_.build_s += result.wall_s;
    if (result.ok) return result.program;
    if (grading_.diagnostics.empty()) grading_.diagnostics = result.diagnostics;
    return {};
  }

  /// Median of three runs' kernel times with a case's data; none when a run fails or leaves no times.
  std::optional<double> kernel_time(const Case& c, const CaseData& data) {
    const fs::path program = program_of(c);
    Measurement times;
    for (int i = 0; i < 3 && !program.empty(); ++i) {
      const RunResult run =
          run_case(toolchain_, lab_, c, context_.backend, program, data, scratch_.path() / "run");
      stop_if_interrupted();
      grading_.run_s += run.wall_s;
      const auto seconds = measured_seconds(run.profile, "kernel");
      if (!run.process.ok() || !seconds) return std::nullopt;
      times.samples.push_back(*seconds);
    }
    if (times.samples.empty()) return std::nullopt;
    return times.median();
  }

  /// The submission's kernel against the same sources with other macros, on the same data and device.
  void judge_near_best(const Case& c, const CaseData& data, CaseResult& result) {
    const auto own = kernel_time(c, data);
    std::optional<double> best;
    for (const auto& macros : c.near_best.of) {
      Case other = c;
      other.macros = macros;
      const auto seconds = kernel_time(other, data);
      if (seconds && (!best || *seconds < *best)) best = seconds;
    }
    if (!own || !best || *own <= c.near_best.within * *best) return;
    result.verdict = Verdict::requirement_failed;
    result.message = fmt::format(
        "the output is right, but: the kernel takes {}, and with another combination of the "
        "macros {} on this device: {:.2f} times as long, of which at most {:.2f} are allowed.",
        human_time(*own), human_time(*best), *own / *best, c.near_best.within);
    result.next_step = fmt::format("grader table {} --search", lab_.id);
  }

  void keep_times(CaseResult& result, const Profile& profile) {
    for (const char* measure : {"h2d", "kernel", "d2h"}) {
      if (const auto seconds = measured_seconds(profile, measure)) result.times[measure] = *seconds;
    }
    if (result.times.empty()) return;
    grading_.time_source = time_source(profile);
    if (context_.backend == Backend::gpu && !profile.device.empty()) grading_.device = profile.device;
  }

  const Kit& kit_;
  const Toolchain& toolchain_;
  const Submission& submission_;
  const Lab& lab_;
  const bool check_;
  const Progress& progress_;
  const ScratchFolder scratch_;
  const JudgeContext context_;
  Grading grading_;
  fs::path program_;
  fs::path oracle_;
  std::string oracle_fault_;  ///< why the oracle can't be used; empty: it can
};

}  // namespace

Grading grade(const Kit& kit, const Toolchain& toolchain, const Submission& submission, Backend backend,
              const Progress& progress) {
  return Flow(kit, toolchain, submission, backend, progress, false).run();
}

Grading check(const Kit& kit, const Toolchain& toolchain, const Submission& submission, Backend backend,
              const Progress& progress) {
  if (backend == Backend::gpu) sanitizer_command(toolchain, sanitizer_tools.front(), "");  // throws at once
  const Lab lab = checking_lab(*submission.lab);
  Submission checked = submission;
  checked.lab = &lab;
  return Flow(kit, toolchain, checked, backend, progress, true).run();
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

}  // namespace grader
