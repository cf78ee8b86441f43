// The steps for each case. A step returns true if it has given the case its verdict.
#include <fmt/format.h>

#include <algorithm>

#include "base/terminal.hpp"
#include "grade/grade.hpp"
#include "grade/steps.hpp"
#include "lab/judge.hpp"
#include "model/table.hpp"
#include "run/counting.hpp"
#include "run/own_tables.hpp"
#include "verify/origin.hpp"
#include "verify/printed_number.hpp"
#include "verify/requirements.hpp"

namespace grader::steps {
namespace {

/// After this many time-outs, the remaining cases count as timed out, too. Otherwise a student with an
/// endless loop would wait for each case.
constexpr int most_time_outs = 2;

/// Sets a verdict without a run.
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

/// "-DBLOCK_SIZE=8 -DUNROLL=4": the options with which a student compiles the case's program.
std::string macro_options(const Case& c) {
  std::string options;
  for (const auto& [name, value] : c.macros)
    options += fmt::format("{}-D{}={}", options.empty() ? "" : " ", name, value);
  return options;
}

/// The program of a case. A case with macros has its own program. Empty if it does not compile.
fs::path program_of(Work& work, const Case& c) {
  if (c.macros.empty()) return work.program;
  const BuildResult built = work.build_with(c.macros, work.context.backend, work.instrument());
  if (built.ok) return built.program;
  if (work.grading.diagnostics.empty()) work.grading.diagnostics = built.diagnostics;
  return {};
}

/// The median kernel time, in seconds, of three runs on a case's data. 0 if a run fails, has a wrong result,
/// or has no times.
/// @param wrong receives the verdict of a run with a wrong result
double kernel_time(Work& work, Case c, const CaseData& data, CaseResult& wrong) {
  const fs::path program = program_of(work, c);
  c.from_device = false;  // only the time is needed
  c.requirements.clear();
  Measurement times;
  for (int i = 0; i < 3 && !program.empty(); ++i) {
    const RunResult run = work.run(c, program, data, "timed");
    const auto seconds = measured_seconds(run.profile, {Measure::Kind::kernel});
    // A time counts only if the result is right.
    CaseResult result = judge(work.lab, c, run, data, work.judging).result;
    if (result.verdict != Verdict::passed) {
      wrong = std::move(result);
      return 0;
    }
    if (!seconds) return 0;
    times.samples.push_back(*seconds);
  }
  return times.samples.empty() ? 0 : times.median();
}

/// The numbers that `grader profile` shows for a run: the counters of each launch, and the sums of loads and
/// stores.
std::vector<lab::MeasuredNumber> counted_numbers(const std::vector<LaunchCounts>& launches) {
  std::vector<lab::MeasuredNumber> all;
  for (const LaunchCounts& launch : launches) {
    for (const auto& [name, value] : launch.values) {
      all.push_back({static_cast<double>(value), "1"});
      const std::size_t load = name.find("_load");
      if (load == std::string::npos) continue;
      const auto store = launch.values.find(name.substr(0, load) + "_store" + name.substr(load + 5));
      if (store != launch.values.end()) all.push_back({static_cast<double>(value + store->second), "1"});
    }
    if (launch.occupancy) all.push_back({*launch.occupancy, "1"});
  }
  return all;
}

/// Adds the numbers that the lab's tables take from lines of the program's output.
void add_printed(std::vector<lab::MeasuredNumber>& all, const Lab& lab, const std::string& printed) {
  for (const TableSpec& table : lab.tables)
    for (const Column& column : table.columns) {
      if (column.measure.kind != Measure::Kind::printed) continue;
      if (const auto value = printed_number(printed, column.measure.name))
        all.push_back({*value, column.unit});
    }
}

void add_tables(std::vector<lab::MeasuredNumber>& all, const std::vector<Table>& tables) {
  for (const Table& table : tables)
    for (const TableRow& row : table.rows)
      for (std::size_t i = 0; i < std::min(row.cells.size(), table.spec.columns.size()); ++i)
        if (!row.cells[i].samples.empty()) all.push_back({row.cells[i].median(), table.spec.columns[i].unit});
}

/// The values of the parameters in a lab's tables. They are chosen, not measured.
std::vector<double> chosen_values(const Lab& lab) {
  std::vector<double> values;
  for (const TableSpec& table : lab.tables)
    for (const Axis& axis : table.axes)
      for (const std::vector<std::string>* list : {&axis.values, &axis.emu_values})
        for (const std::string& value : *list) {
          char* end = nullptr;
          const double number = std::strtod(value.c_str(), &end);
          if (*end == '\0') values.push_back(number);
        }
  return values;
}

/// Supplies the facts that the lab's judge wants. @return a verdict if a timed run has a wrong result
std::optional<CaseResult> supply(CaseWork& one, const lab::JudgeWants& wants, lab::JudgeRequest& facts) {
  Work& work = one.work;
  if (wants.measured) {
    facts.measured = counted_numbers(work.count(one.c, one.data).launches);
    add_tables(*facts.measured, read_own_tables(work.context.kit, work.lab));
    if (!facts.measured->empty()) add_printed(*facts.measured, work.lab, one.run.process.out);
    facts.chosen = chosen_values(work.lab);
  }
  if (wants.times.empty()) return std::nullopt;
  CaseResult wrong;
  wrong.verdict = Verdict::passed;
  facts.times = {kernel_time(work, one.c, one.data, wrong)};
  if (wrong.verdict != Verdict::passed) {
    wrong.message = "in one of the runs that were timed: " + wrong.message;
    return wrong;
  }
  for (const lab::Macros& macros : wants.times) {
    Case other = one.c;
    other.macros = macros;
    facts.times->push_back(kernel_time(work, other, one.data, wrong));
  }
  return std::nullopt;
}

/// Adds a note, once for each submission, that the profile does not record the contents of copies.
void note_unknown_origin(CaseWork& one) {
  const bool unknown = one.c.from_device && one.result.verdict == Verdict::passed &&
                       !one.run.profile.source.empty() && !is_origin_known(one.run.profile);
  if (!unknown) return;
  one.work.note_once(
      "Whether the results came from the device was not judged: the profile does not say what copies moved.");
}

}  // namespace

bool other_backend(CaseWork& one) {
  if (one.c.runs_on(one.work.context.backend)) return false;
  if (one.work.program.empty()) return settle(one, Verdict::unsupported, "not run");
  return settle(one, Verdict::unsupported,
                one.work.context.backend == Backend::emu ? "This case runs on a GPU only."
                                                         : "This case runs in emulation only.");
}

bool forbidden_header(CaseWork& one) {
  if (one.work.forbidden.empty()) return false;
  one.result.next_step = "remove it, and write what it does yourself";
  return settle(one, Verdict::requirement_failed, one.work.forbidden);
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
  one.data = one.work.data_of(one.c);
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
  Work& work = one.work;
  CaseResult& result = one.result;
  JudgeContext context = work.judging;
  context.options = source_options(work.grading);
  context.supply = [&](const lab::JudgeWants& wants, lab::JudgeRequest& facts) {
    return supply(one, wants, facts);
  };
  result = judge(work.lab, one.c, one.run, one.data, context).result;
  work.remember(result);
  note_unknown_origin(one);
  if (result.verdict == Verdict::passed) return false;
  if (result.verdict != Verdict::todo && !one.c.macros.empty())
    result.message = fmt::format("compiled with {}: {}", macro_options(one.c), result.message);
  explain_by_checker(one);
  return true;
}

bool says_nothing(const CaseResult& watched) {
  return !any_error(watched.findings) &&
         (watched.verdict == Verdict::time_out || watched.verdict == Verdict::memory_limit);
}

bool fail_unwatched(CaseWork& one, const std::string& what, const std::string& option,
                    const std::string& refused) {
  const bool checked = option == "--check";
  one.result.times.clear();
  one.result.next_step =
      fmt::format("grader {} {}{}{}", checked ? "check" : "profile", one.work.lab.id,
                  source_options(one.work.grading), checked ? "" : " --backend emu --case " + one.c.id);
  return settle(
      one, Verdict::requirement_failed,
      fmt::format("{}{}: emucc {} does not compile it ({}).",
                  one.c.verify == Verify::none ? "" : "the output is right, but ", what, option, refused));
}

bool judge_counts(CaseWork& one) {
  if (one.c.counts.empty()) return false;
  Work& work = one.work;
  std::map<std::string, double> counted = counted_in(one.run.profile);
  const bool takes_a_run =
      std::any_of(one.c.counts.begin(), one.c.counts.end(), [](const Count& c) { return !c.in_profile(); });
  if (takes_a_run) {
    const Counted run = work.count(one.c, one.data);
    if (!run.refused.empty())
      return fail_unwatched(one, "what its kernels do can't be counted", "--counters", run.refused);
    if (run.ran && says_nothing(run.run)) {
      work.note_once(fmt::format("{} for what the kernels do: {}", not_checked, run.run.message));
    } else if (run.ran && run.run.verdict != Verdict::passed) {
      one.result.next_step = run.run.next_step;
      return settle(one, run.run.verdict,
                    "in another run, in which what the kernels do is counted: " + run.run.message);
    } else if (run.ran && run.launches.empty()) {
      one.result.next_step = "let the program end by returning from main, not by _exit()";
      return settle(one, Verdict::requirement_failed,
                    "The counters left no report, which they write when main returns.");
    }
    one.result.counts = kernel_counts(run.launches);
    for (const std::string& name : countable())
      if (const auto value = grader::counted(run.launches, name)) counted[name] = *value;
  }
  const std::string broken = counts_problem(one.c.counts, counted);
  if (broken.empty()) return false;
  one.result.next_step = fmt::format("see which lines do it: grader profile {}{} --case {}", work.lab.id,
                                     source_options(work.grading), one.c.id);
  return settle(one, Verdict::requirement_failed,
                (one.c.verify == Verify::none ? "" : "the output is right, but: ") + broken);
}

bool keep_times(CaseWork& one) {
  if (one.c.visibility != Visibility::visible) return false;
  const Profile& profile = one.run.profile;
  for (const auto kind : {Measure::Kind::h2d, Measure::Kind::kernel, Measure::Kind::d2h}) {
    const Measure measure{kind};
    if (const auto seconds = measured_seconds(profile, measure)) one.result.times[measure] = *seconds;
  }
  if (one.result.times.empty()) return false;
  Grading& grading = one.work.grading;
  grading.time_source = time_source(profile);
  if (one.work.context.backend == Backend::gpu && !profile.device.empty()) grading.device = profile.device;
  return false;
}

}  // namespace grader::steps
