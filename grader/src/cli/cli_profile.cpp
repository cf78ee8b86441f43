// profile: a case of a lab with performance counters, and the old text profiler's log.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "base/scratch.hpp"
#include "cli/cli_session.hpp"
#include "model/json.hpp"
#include "run/counting.hpp"

namespace grader {
namespace {

constexpr std::uintmax_t largest_config = 64 << 10;

struct ProfileOptions {
  LabChoice lab;
  SourceChoice source;
  CaseChoice which;
  std::string config;
  std::string device;
  std::string log = "cuda_profile.log";
};

/// The launches in the columns of the log, when there is no table by line.
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
  // With lines, if known.
  const auto report = json_or_null(counted.report);
  if (report.contains("kernels")) answer["kernels"] = report["kernels"];
  return answer;
}

int run_profile(Session& session, ProfileOptions& o) {
  const Lab& lab = o.lab.find(session);
  const Submission submission = o.source.read(session, lab, o.lab.level_or_first());
  std::string note;
  const Backend backend = o.source.choose_backend(session, note);
  const Case c = o.which.choose(lab, backend, "profile");
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
    const fs::path program = built_program(session, submission, backend, c.macros,
                                           backend == Backend::emu ? Instrument::counters : Instrument::none);
    line.update("counting", 1, 2);
    const ScratchFolder scratch(session.kit().state() / "work", "profile");
    const fs::path oracle = build_oracle(session.kit(), session.toolchain(), lab);
    const CaseData data = prepare_case(session.kit(), lab, c, oracle, scratch.path() / "data");
    counted = run_counted(session.toolchain(), submission, c, backend, program, data, scratch.path() / "run",
                          request);
    need_good_end(lab, counted.run, "there is nothing to count");
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
                             o->which.options(),
                             {{.names = "--config",
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
