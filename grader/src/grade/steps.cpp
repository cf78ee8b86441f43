// The steps for a whole submission, and the functions that run lists of steps.
#include "grade/steps.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/columns.hpp"
#include "base/terminal.hpp"
#include "base/version.hpp"
#include "build/build_cache.hpp"
#include "build/read_files.hpp"
#include "check/sanitizer.hpp"
#include "grade/soundness.hpp"
#include "run/counting.hpp"
#include "workspace/allowed.hpp"

namespace grader {
namespace {

/// The seconds for which this grading assumes that a program stays in the cache. The cache keeps recently
/// used programs for a limited time, but a grading may take longer.
constexpr double most_known_s = BuildCache::Limits{}.spared_s / 2;

bool needs_oracle(const Case& c) {
  return c.verify != Verify::gold || c.asks_judge() ||
         (c.asks_checker() && at_checking_size(c).verify != Verify::gold);
}

/// Whether compiler messages name a file of the kit: a header of common/lab, or a file that the lab gives.
bool names_given_files(const Work& work, const std::string& diagnostics) {
  const auto named = [&](const fs::path& file) {
    return diagnostics.find(file.string()) != std::string::npos;
  };
  if (named(work.context.toolchain.include_folder)) return true;
  const std::vector<LabFile> given = given_files(work.context.kit, work.lab);
  return std::any_of(given.begin(), given.end(),
                     [&](const LabFile& file) { return named(file.name.string() + ":"); });
}

/// Compiles the unchanged skeleton. An error in a given file may still be the student's, since a macro before
/// an #include can break a sound file. If the skeleton does not compile either, the kit is damaged.
/// @throws Error (fault) in that case
void need_sound_skeleton(const Work& work) {
  const GradeContext& context = work.context;
  const BuildResult built = build_skeleton(context.kit, context.toolchain, work.lab, context.submission.level,
                                           context.backend, context.machine);
  work.stop_if_interrupted();
  if (built.ok || !names_given_files(work, built.diagnostics)) return;
  throw Error(
      ErrorKind::fault,
      fmt::format(
          "The files of the kit are damaged: {} does not compile as it is handed out ({}). It is not your "
          "mistake, and costs you nothing.",
          work.lab.id, first_error(built.diagnostics)),
      "git checkout common/lab labs, or install the kit again");
}

/// Whether a grading keeps details of a case. For other people's submissions, it keeps the details that
/// students may see after the due date. The person who returns the submissions knows whether that date has
/// passed.
bool keeps_details(Visibility visibility, Origin origin) {
  return visibility == Visibility::visible || origin == Origin::solution ||
         (visibility == Visibility::after_due_date && origin == Origin::folder);
}

std::vector<ProgramToBuild> programs_of_macros(const Work& work) {
  // If blanks are left, most cases won't run.
  if (work.program.empty() || !work.grading.todo.empty()) return {};
  std::vector<ProgramToBuild> programs;
  const std::shared_ptr<const Submission> submission(&work.context.submission, [](const Submission*) {});
  for (const Case& c : work.lab.cases)
    if (c.runs_on(work.context.backend) && !c.macros.empty())
      programs.push_back({submission, c.macros, {}, work.instrument()});
  return programs;
}

/// The initial result of a case.
CaseResult result_of(const Case& c) {
  CaseResult result;
  result.id = c.id;
  result.visibility = c.visibility;
  return result;
}

/// Removes everything but the verdict from a hidden case.
void hide_details(CaseResult& result) {
  CaseResult shown;
  shown.id = result.id;
  shown.visibility = result.visibility;
  shown.verdict = result.verdict;
  shown.points = result.points;
  shown.max_points = result.max_points;
  shown.wall_s = result.wall_s;
  shown.times = result.times;
  shown.checker_silent = result.checker_silent;
  result = shown;
}

}  // namespace

Work::Work(const GradeContext& grade_context, bool is_check)
    : context(grade_context),
      lab(*grade_context.submission.lab),
      check(is_check),
      scratch(context.kit.state() / "work", "grading"),
      watch(context.machine.clocks),
      judging{context.backend,
              context.backend == Backend::emu || (!check && !context.toolchain.profile_library.empty()),
              &context.machine},
      looks([this](const Case& c) { return make_look_of_built(c); }) {}

Work::~Work() {
  ended = true;
}

Instrument Work::instrument() const {
  return check && context.backend == Backend::emu ? Instrument::check : Instrument::none;
}

BuildResult Work::build_with(const Macros& macros, Backend backend, Instrument instrument) {
  std::string key = fmt::format("{} {}", static_cast<int>(backend), static_cast<int>(instrument));
  for (const auto& [name, value] : macros) key += fmt::format("\n{}={}", name, value);
  const double now = context.machine.clocks.steady();
  const auto known = known_programs.find(key);
  if (known != known_programs.end() && (!known->second.result.ok || now - known->second.at < most_known_s))
    return known->second.result;
  BuildResult result = build(context.kit, context.toolchain, context.submission, backend, macros, instrument,
                             {}, context.machine);
  stop_if_interrupted();
  grading.build_s += result.wall_s;
  if (result.ok && !check) {
    const std::string read = forbidden_file(context.kit, context.toolchain, context.submission, backend,
                                            instrument, result.read, context.machine);
    if (!read.empty()) {
      result.ok = false;
      result.diagnostics += "error: " + read + ".\n";
    }
  }
  known_programs[key] = {result, now};
  return result;
}

RunResult Work::run(const Case& c, const fs::path& program_of_case, const CaseData& data,
                    const char* folder) {
  RunTool tool;
  // The checker quotes the files. A run without the checker gets them, too, so that a program can't find out
  // whether it is checked.
  if (context.backend == Backend::emu) tool.files = context.submission.files;
  RunResult done = run_case(context.toolchain, lab, c, context.backend, program_of_case, data,
                            scratch.path() / folder, tool, context.machine);
  stop_if_interrupted();
  grading.run_s += done.wall_s;
  return done;
}

CaseData Work::data_of(const Case& c) const {
  return data_in(scratch.path() / "data", c);
}

CaseData Work::data_in(const fs::path& folder, const Case& c) const {
  if ((c.verify != Verify::gold || c.asks_judge()) && !oracle_fault.empty())
    throw Error(ErrorKind::fault, oracle_fault);
  if (context.of_class != nullptr)
    return context.of_class->prepare(lab, c, context.attempt, oracle, folder, context.machine);
  return prepare_case(context.kit, lab, c, oracle, folder, context.machine);
}

CaseResult Work::make_look(const Case& c, const fs::path& program_of_case) const {
  const ScratchFolder own(scratch.path(), "look");
  const CaseData data = data_in(own.path() / "data", c);
  const CheckedRun done = looking() == Backend::emu
                              ? run_checked(context.toolchain, context.submission, c, program_of_case, data,
                                            own.path() / "run", context.machine, context.strict)
                              : run_sanitizers(context.toolchain, context.submission, c, program_of_case,
                                               data, own.path() / "run", context.machine);
  stop_if_interrupted();
  CaseResult result = judge(lab, c, done.run, data, check ? judging : judging_emulation()).result;
  judge_findings(result, done);
  return result;
}

std::optional<CaseResult> Work::make_look_of_built(const Case& c) const {
  const BuildResult built = build(context.kit, context.toolchain, context.submission, looking(), c.macros,
                                  Instrument::check, {}, context.machine);
  if (!built.ok) return std::nullopt;
  return make_look(c, built.program);
}

CaseResult Work::look_at(const Case& c, const fs::path& program_of_case) {
  const Stopwatch waiting(context.machine.clocks);
  std::optional<CaseResult> result = looks.take(c.id);
  if (!result) result = make_look(c, program_of_case);
  stop_if_interrupted();
  grading.run_s += waiting.seconds();
  return std::move(*result);
}

void Work::build_programs(const std::vector<ProgramToBuild>& programs, Backend backend) {
  if (programs.empty()) return;
  const Machine& machine = context.machine;
  const Stopwatch taken(machine.clocks);
  build_all(
      context.kit, context.toolchain, backend, programs,
      [&machine] { return machine.commands.interrupted(); }, {}, machine);
  stop_if_interrupted();
  grading.build_s += taken.seconds();
}

void Work::start_programs(std::vector<ProgramToBuild> programs, Backend backend) {
  if (programs.empty()) return;
  programs_to_come = std::async(std::launch::async, [this, programs = std::move(programs), backend] {
    build_all(
        context.kit, context.toolchain, backend, programs,
        [this] { return ended || context.machine.commands.interrupted(); }, {}, context.machine);
  });
}

Counted Work::count(const Case& c, const CaseData& data) {
  Counted counted;
  if (context.toolchain.emucc.empty()) {
    note_once(fmt::format("{} for what the kernels do: there is no emucc here.", not_checked));
    return counted;
  }
  const BuildResult built = build_with(c.macros, Backend::emu, Instrument::counters);
  if (!built.ok) {
    counted.refused = first_error(built.diagnostics);
    return counted;
  }
  CountedRun run = run_counted(context.toolchain, context.submission, c, Backend::emu, built.program, data,
                               scratch.path() / "counted", {}, context.machine);
  stop_if_interrupted();
  grading.run_s += run.run.wall_s;
  Case result_alone = c;
  result_alone.requirements.clear();
  result_alone.from_device = false;
  counted.run = judge(lab, result_alone, run.run, data, judging_emulation()).result;
  counted.ran = true;
  counted.launches = std::move(run.launches);
  return counted;
}

void Work::note_once(const std::string& note) {
  if (std::find(grading.notes.begin(), grading.notes.end(), note) == grading.notes.end())
    grading.notes.push_back(note);
}

void Work::remember(const CaseResult& result) {
  if (result.verdict == Verdict::time_out) ++time_outs;
  // Blanks in code that the program never reaches don't keep the other cases from running.
  if (!any_ran) still_to_do = result.verdict == Verdict::todo && !grading.todo.empty();
  any_ran = true;
}

CaseResult Work::as_shown(const Case& c, CaseResult result) const {
  if (!keeps_details(c.visibility, context.submission.origin)) hide_details(result);
  return result;
}

void Work::say(const std::string& what) const {
  const int lists = check ? 1 : 2;
  const int steps = static_cast<int>(cases.size()) * lists + 1;
  if (context.progress) context.progress(what, cases_done + (program.empty() ? 0 : 1), steps);
}

void Work::stop_if_interrupted() const {
  if (context.machine.commands.interrupted())
    throw Error(ErrorKind::environment, "Interrupted; nothing was recorded.");
}

void run_steps(Work& work, const Step* begin, const Step* end) {
  for (const Step* step = begin; step != end; ++step) {
    step->run(work);
    work.stop_if_interrupted();
  }
}

void run_cases(Work& work, const CaseStep* begin, const CaseStep* end) {
  for (CaseWork& one : work.cases) {
    const bool settled_before = one.settled;
    try {
      for (const CaseStep* step = begin; step != end && !one.settled; ++step) {
        one.settled = step->run(one);
        work.stop_if_interrupted();
      }
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::fault) throw;
      one.result = result_of(one.c);
      one.result.verdict = Verdict::grader_fault;
      one.result.message = e.what();
      one.result.next_step = "tell whoever maintains the kit; it costs you nothing" +
                             (e.next_step().empty() ? "" : ". How to fix it: " + e.next_step());
      one.settled = true;
    }
    one.run = RunResult();  // frees the run's data, which may take much memory
    ++work.cases_done;
    if (!settled_before && work.context.settled) work.context.settled(work.as_shown(one.c, one.result));
  }
}

namespace steps {

void begin_record(Work& work) {
  const Submission& submission = work.context.submission;
  Grading& grading = work.grading;
  grading.check = work.check;
  grading.lab = work.lab.id;
  grading.level = submission.level;
  grading.origin = submission.origin;
  grading.submission = submission.folder.string();
  grading.sources_sha256 = submission.sha256;
  grading.backend = work.context.backend;
  grading.device = work.context.toolchain.device(work.context.backend);
  grading.started_at = work.context.machine.clocks.utc();
  grading.kit_version = kit_version();
  const SandboxStatus sandbox = work.context.machine.commands.sandbox();
  grading.sandbox = !sandbox.works ? "none" : sandbox.reason.empty() ? "whole" : "partly";
  grading.todo = submission.todo;
}

void need_sanitizer(Work& work) {
  if (work.context.backend == Backend::gpu)
    sanitizer_command(work.context.toolchain, sanitizer_tools.front(), "");
}

void look_at_headers(Work& work) {
  work.forbidden = forbidden_include(work.context.submission, work.lab.allowed);
}

void start_oracle(Work& work) {
  const bool needed = std::any_of(work.lab.cases.begin(), work.lab.cases.end(), [&](const Case& c) {
    return needs_oracle(c) && c.runs_on(work.context.backend);
  });
  if (!needed) return;
  work.oracle_to_come = std::async(std::launch::async, [&work] {
    return build_oracle(work.context.kit, work.context.toolchain, work.lab, work.context.machine);
  });
}

void compile(Work& work) {
  if (!work.forbidden.empty()) return;  // none of the submission's programs will run
  work.say("compiling " + work.lab.id);
  const BuildResult built = work.build_with({}, work.context.backend, work.instrument());
  work.grading.diagnostics = built.diagnostics;
  if (built.ok) work.program = built.program;
  if (!built.ok && names_given_files(work, built.diagnostics)) need_sound_skeleton(work);
}

void compile_macros(Work& work) {
  work.build_programs(programs_of_macros(work), work.context.backend);
}

void start_macros(Work& work) {
  work.start_programs(programs_of_macros(work), work.context.backend);
}

void take_oracle(Work& work) {
  if (work.program.empty() || !work.oracle_to_come.valid()) return;
  work.say("compiling the oracle of " + work.lab.id);
  try {
    work.oracle = work.oracle_to_come.get();
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::fault) throw;
    work.oracle_fault = e.what();
  }
}

void note_protection(Work& work) {
  if (work.program.empty()) return;
  const SandboxStatus sandbox = work.context.machine.commands.sandbox();
  if (!sandbox.works)
    work.grading.notes.push_back(fmt::format("The program ran unprotected: {}{}", sandbox.reason,
                                             sandbox.mend.empty() ? "" : " (" + sandbox.mend + ")"));
}

void note_profile(Work& work) {
  if (work.program.empty() || work.judging.profile_expected) return;
  work.grading.notes.push_back(
      "libcuda_lab_profile.so is not there: times are the program's own, and what it did on the device "
      "was not checked (grader doctor).");
}

void note_blind_spots(Work& work) {
  if (!work.program.empty() && work.context.backend == Backend::gpu)
    work.grading.notes.push_back(blind_spots("grader check " + work.lab.id + source_options(work.grading)));
}

void take_cases(Work& work) {
  std::vector<const Case*> order;
  for (const Case& c : work.lab.cases) order.push_back(&c);
  // While the programs with macros compile, cases without macros run.
  if (work.programs_to_come.valid())
    std::stable_partition(order.begin(), order.end(), [](const Case* c) { return c->macros.empty(); });
  for (const Case* c : order) work.cases.push_back({.work = work, .c = *c, .result = result_of(*c)});
}

void keep_results(Work& work) {
  for (const Case& c : work.lab.cases) {
    CaseResult& result = std::find_if(work.cases.begin(), work.cases.end(), [&](const CaseWork& one) {
                           return &one.c == &c;
                         })->result;
    work.grading.cases.push_back(work.as_shown(c, std::move(result)));
  }
}

void give_points(Work& work) {
  // Only a lab without any case keeps this verdict.
  work.grading.verdict = work.program.empty() ? Verdict::compile_error : Verdict::unsupported;
  score(work.lab, work.grading);
  work.grading.total_s = work.watch.seconds();
}

}  // namespace steps
}  // namespace grader
