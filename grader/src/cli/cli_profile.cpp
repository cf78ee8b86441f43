// profile: a case of a lab with performance counters, and the old text profiler's log.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "base/scratch.hpp"
#include "cli/cli_session.hpp"
#include "run/counting.hpp"

namespace grader {
namespace {

constexpr std::uintmax_t largest_config = 64 << 10;

struct ProfileOptions {
  LabChoice lab;
  SourceChoice source;
  std::string only_case;
  std::optional<std::string> arguments;  ///< in place of the case's
  std::string config;
  std::string device;
  std::string log = "cuda_profile.log";
};

/// The case that was named, else the first that everybody may see, with the arguments that were given.
Case choose_case(const Lab& lab, const ProfileOptions& o, Backend backend) {
  std::vector<std::string> ids;
  const Case* chosen = nullptr;
  for (const Case& c : lab.cases) {
    if (c.visibility != Visibility::visible || !c.runs_on(backend)) continue;
    ids.push_back(c.id);
    if (chosen == nullptr && (o.only_case.empty() || o.only_case == c.id)) chosen = &c;
  }
  if (chosen == nullptr)
    throw Error(ErrorKind::usage,
                fmt::format("{} has no case \"{}\" to profile; it has {}.", lab.id, o.only_case,
                            fmt::join(ids, ", ")),
                fmt::format("grader profile {}{}", lab.id, ids.empty() ? "" : " --case " + ids.front()));
  Case c = *chosen;
  if (!o.arguments) return c;
  std::vector<std::string> args;
  std::string word;
  for (const char letter : *o.arguments + " ") {
    if (letter != ' ') {
      word += letter;
    } else if (!word.empty()) {
      args.push_back(std::exchange(word, ""));
    }
  }
  c = with_arguments(std::move(c), std::move(args));
  c.seed.reset();
  return c;
}

/// The launches in the columns of the log, for where there is no table by line.
std::string launches_text(const std::vector<LaunchCounts>& launches, const Style& style) {
  constexpr const char* shown[] = {"warp_serialize",      "divergent_branch", "global_loads",
                                   "global_load_sectors", "global_stores",    "global_store_sectors"};
  Columns columns(
      {Align::left, Align::right, Align::right, Align::right, Align::right, Align::right, Align::right});
  std::vector<std::string> head = {"kernel",  "bank conflicts", "divergent", "loads",
                                   "sectors", "stores",         "sectors"};
  for (std::string& title : head) title = style.strong(title);
  columns.add(head);
  for (const LaunchCounts& launch : launches) {
    std::vector<std::string> row = {printable(launch.kernel)};
    for (const char* const counter : shown) {
      const auto found = launch.values.find(counter);
      row.push_back(found != launch.values.end() ? std::to_string(found->second) : "–");
    }
    columns.add(row);
  }
  return columns.text(0, style.width);
}

[[noreturn]] void refuse_failed(const Lab& lab, const RunResult& run) {
  std::string last;
  for (const std::string& line : split_lines(run.process.err + run.process.out))
    if (!line.empty()) last = line;
  throw Error(ErrorKind::usage,
              fmt::format("The program {}, so there is nothing to count.{}", describe_end(run.process),
                          last.empty() ? "" : " It said: " + last),
              "grader " + lab.id);
}

nlohmann::json counted_json(const Lab& lab, const Case& c, Backend backend, const CountedRun& counted) {
  nlohmann::json launches = nlohmann::json::array();
  for (const LaunchCounts& launch : counted.launches)
    launches.push_back({{"kernel", launch.kernel}, {"counters", launch.values}});
  nlohmann::json answer = {{"format", 1},
                           {"kind", "profile"},
                           {"lab", lab.id},
                           {"args", c.args},
                           {"backend", to_string(backend)},
                           {"launches", launches},
                           {"log", counted.log}};
  // Lines too, where they are known.
  const auto report = nlohmann::json::parse(counted.report, nullptr, false);
  if (!report.is_discarded() && report.contains("kernels")) answer["kernels"] = report["kernels"];
  return answer;
}

int run_profile(Session& session, ProfileOptions& o) {
  const Lab& lab = o.lab.find(session);
  const Submission submission = o.source.read(session, lab, o.lab.level_or_first());
  std::string note;
  const Backend backend = o.source.choose_backend(session, note);
  const Case c = choose_case(lab, o, backend);
  CountingRequest request;
  request.with_log = true;
  request.device = o.device;
  if (backend == Backend::gpu && !o.device.empty())
    throw Error(ErrorKind::usage, "--device names a GPU that is emulated, but this run is on a real one.",
                fmt::format("grader profile {} --backend emu --device {}", lab.id, o.device));
  if (!o.config.empty()) request.config = read_file(o.config, largest_config);
  CountedRun counted;
  {
    ProgressLine line(!session.json);
    line.update("building", 0, 2);
    const BuildResult built = build(session.kit(), session.toolchain(), submission, backend, c.macros,
                                    backend == Backend::emu ? Instrument::counters : Instrument::none);
    if (!built.ok)
      throw Error(ErrorKind::usage, "Your files do not compile:\n" + built.diagnostics, "grader " + lab.id);
    line.update("counting", 1, 2);
    const ScratchFolder scratch(session.kit().state() / "work", "profile");
    const fs::path oracle = build_oracle(session.kit(), session.toolchain(), lab);
    const CaseData data = prepare_case(session.kit(), lab, c, oracle, scratch.path() / "data");
    counted = run_counted(session.toolchain(), submission, c, backend, built.program, data,
                          scratch.path() / "run", request);
    if (!counted.run.process.ok()) refuse_failed(lab, counted.run);
  }
  if (counted.log.empty())
    throw Error(ErrorKind::environment, "The program left no log of the profiler.", "grader doctor");
  write_file(o.log, counted.log);
  if (session.json) {
    session.answer(counted_json(lab, c, backend, counted));
    return 0;
  }
  session.print(fmt::format("{} {}\n\n", lab.id, fmt::join(c.args, " ")));
  session.print(counted.table.empty() ? launches_text(counted.launches, session.style)
                                      : printable(counted.table, true));
  session.print("\n" + printable(counted.said, true));
  session.print(fmt::format("{} has a line for each copy and kernel{}.\n", o.log,
                            backend == Backend::emu ? ", with times of the emulation" : ""));
  return 0;
}

Command profile_command() {
  const auto o = std::make_shared<ProfileOptions>();
  return {.name = "profile",
          .summary = "Count a lab's bank conflicts, sectors and divergence",
          .group = Group::student,
          .options = concat({o->lab.options(),
                             o->source.options(),
                             {{.names = "-c,--case",
                               .type = "ID",
                               .help = "this case; default: the first",
                               .value = &o->only_case},
                              {.names = "--args",
                               .type = "TEXT",
                               .help = "arguments instead of the case's, separated by blanks",
                               .value = &o->arguments},
                              {.names = "--config",
                               .type = "FILE",
                               .help = "counters and options of the log, one per line",
                               .value = &o->config,
                               .existing_file = true},
                              {.names = "--device",
                               .type = "NAME",
                               .help = "GPU to emulate, such as gtx280 or h200; default: h200",
                               .value = &o->device},
                              {.names = "--log",
                               .type = "FILE",
                               .help = "where to write the log; default: cuda_profile.log",
                               .value = &o->log}},
                             report_options()}),
          .run = [o](Session& session) { return run_profile(session, *o); }};
}

}  // namespace

std::vector<Command> profile_commands() {
  return {profile_command()};
}

}  // namespace grader
