// profile: runs a case of a lab with performance counters, and writes the old text profiler's log. With --explain, it
// explains where the time goes.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "base/scratch.hpp"
#include "build/resources.hpp"
#include "cli/cli_session.hpp"
#include "explain/work_reader.hpp"
#include "model/json.hpp"
#include "process/process.hpp"
#include "report/explanation.hpp"
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
  bool explain = false;
  std::vector<std::string> macros;
};

/// The launches in the columns of the log, for runs without a table by line.
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
  // The table has a row for each line if the lines are known.
  const auto report = json_or_null(counted.report);
  if (report.contains("kernels")) answer["kernels"] = report["kernels"];
  return answer;
}

/// The number of a launch's blocks that run for an explanation. It is odd, so that the middle block is one of
/// them.
constexpr int sampled_blocks = 17;

/// The program's code as objdump prints it.
std::string disassembled(const fs::path& program, const std::vector<Stretch>& code) {
  ProcessRequest request;
  request.argv = disassembly_command(program, code);
  request.limits.output = 256 << 20;
  const ProcessResult result = run_own_process(request);
  if (!result.ok())
    throw Error(ErrorKind::environment,
                "objdump, which shows the program's instructions, failed or is not here.",
                "apt-get install binutils");
  return result.out;
}

/// Reads the number of a thread's registers from nvcc, if nvcc is installed. @return false if the number is
/// still only assumed
bool know_registers(Session& session, const Submission& submission, const Case& c,
                    std::vector<KernelWork>& works) {
  if (session.toolchain().nvcc.empty()) return false;
  std::string diagnostics;
  bool all = true;
  const auto kernels =
      kernel_resources(session.kit(), session.toolchain(), submission, c.macros, "sm_90", diagnostics);
  for (KernelWork& work : works) {
    const auto found = std::find_if(kernels.begin(), kernels.end(), [&](const KernelResources& kernel) {
      return kernel.kernel == work.kernel;
    });
    if (found != kernels.end()) work.registers = found->registers;
    all &= found != kernels.end();
  }
  return all;
}

Explained explained_run(const CountedRun& counted, const fs::path& program) {
  Explained explained;
  explained.works = read_work(counted.report,
                              [&](const std::vector<Stretch>& code) { return disassembled(program, code); });
  for (const Activity& activity : counted.run.profile.activities) {
    if (activity.kind == Activity::Kind::h2d)
      explained.copies.to_device += static_cast<double>(activity.bytes);
    if (activity.kind == Activity::Kind::d2h) explained.copies.to_host += static_cast<double>(activity.bytes);
    explained.copies.count += activity.kind == Activity::Kind::h2d || activity.kind == Activity::Kind::d2h;
  }
  return explained;
}

nlohmann::json explained_json(const Lab& lab, const Case& c, const Explained& explained) {
  nlohmann::json kernels = nlohmann::json::array();
  for (const KernelWork& work : explained.works) {
    nlohmann::json predictions;
    for (const KnownGpu& gpu : gpus()) {
      const Prediction p = predict(work, gpu);
      nlohmann::json limits;
      for (int i = 0; i < limit_count; ++i)
        limits[name_of(static_cast<Limit>(i))] = p.by_limit[static_cast<unsigned>(i)];
      predictions[gpu.device->key] = {{"seconds", p.seconds},
                                      {"interval", {p.lowest, p.highest}},
                                      {"binds", name_of(p.binds)},
                                      {"limits", limits}};
    }
    nlohmann::json kernel = to_json(work);
    kernel["gpus"] = predictions;
    kernels.push_back(std::move(kernel));
  }
  return {{"format", 1},
          {"kind", "explanation"},
          {"lab", lab.id},
          {"args", c.args},
          {"kernels", kernels},
          {"copied", {{"to_device", explained.copies.to_device}, {"to_host", explained.copies.to_host}}}};
}

/// @throws Error (usage) for a GPU that the model does not know
const KnownGpu& gpu_named(const std::string& key) {
  const KnownGpu* const found = find_gpu(key.empty() ? gpus().front().device->key : key);
  if (found != nullptr) return *found;
  std::vector<std::string> known;
  for (const KnownGpu& gpu : gpus()) known.emplace_back(gpu.device->key);
  throw Error(ErrorKind::usage, fmt::format("The model of limits does not know the GPU '{}'.", key),
              fmt::format("name one of {}: --device {}", fmt::join(known, ", "), known.front()));
}

int run_profile(Session& session, ProfileOptions& o) {
  const Lab& lab = o.lab.find(session);
  const Submission submission = o.source.read(session, lab, o.lab.level_or_first());
  std::string note;
  const Backend backend = o.source.choose_backend(session, note);
  Case c = o.which.choose(lab, backend, "profile");
  for (const std::string& macro : o.macros) {
    const std::size_t equals = macro.find('=');
    if (equals == 0 || equals == macro.npos)
      throw Error(ErrorKind::usage, fmt::format("'{}' is no macro with its value.", printable(macro)),
                  fmt::format("grader profile {} --macro BLOCK_SIZE=8", lab.id));
    c.macros[macro.substr(0, equals)] = macro.substr(equals + 1);
  }
  CountingRequest request;
  request.with_log = !o.explain;
  request.device = o.device;
  if (o.explain) {
    gpu_named(o.device);
    if (backend != Backend::emu)
      throw Error(ErrorKind::usage,
                  "--explain predicts from the emulation's counters, but this run is on a GPU.",
                  fmt::format("grader profile {} --explain --backend emu", lab.id));
    request.blocks = sampled_blocks;
  }
  if (backend == Backend::gpu && !o.device.empty())
    throw Error(ErrorKind::usage, "--device names a GPU that is emulated, but this run is on a real one.",
                fmt::format("grader profile {} --backend emu --device {}", lab.id, o.device));
  if (!o.config.empty()) request.config = read_file(o.config, largest_config);
  CountedRun counted;
  fs::path program;
  {
    ProgressLine line(!session.json);
    line.update("building", 0, 2);
    program = built_program(session, submission, backend, c.macros,
                            backend == Backend::emu ? Instrument::counters : Instrument::none);
    line.update("counting", 1, 2);
    const ScratchFolder scratch(session.kit().state() / "work", "profile");
    const fs::path oracle = build_oracle(session.kit(), session.toolchain(), lab);
    const CaseData data = prepare_case(session.kit(), lab, c, oracle, scratch.path() / "data");
    counted = run_counted(session.toolchain(), submission, c, backend, program, data, scratch.path() / "run",
                          request);
    need_good_end(lab, counted.run, "there is nothing to count");
  }
  if (o.explain) {
    Explained explained = explained_run(counted, program);
    explained.registers_known = know_registers(session, submission, c, explained.works);
    if (session.json)
      session.answer(explained_json(lab, c, explained));
    else
      session.print(fmt::format("{} {}\n\n", lab.id, fmt::join(c.args, " ")) +
                    explanation_text(explained, gpu_named(o.device), session.style));
    return 0;
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

struct ExplainOptions {
  std::string counters;
  std::string device;
};

/// Explains the counters of any program, as `emucc --counters` writes them.
int run_explain(Session& session, const ExplainOptions& o) {
  constexpr std::uintmax_t largest = 256 << 20;
  const KnownGpu& gpu = gpu_named(o.device);
  const std::string report = read_file(o.counters, largest);
  const auto json = json_or_null(report);
  const fs::path program = json.is_object() ? json.value("program", "") : "";
  Explained explained;
  explained.works =
      read_work(report, [&](const std::vector<Stretch>& code) { return disassembled(program, code); });
  if (explained.works.empty())
    throw Error(ErrorKind::usage, fmt::format("{} has no counters of a kernel.", o.counters),
                fmt::format("emucc --counters prog.cu -o prog && CUEMU_COUNTERS=json={} ./prog", o.counters));
  session.print(explanation_text(explained, gpu, session.style));
  return 0;
}

Command explain_command() {
  const auto o = std::make_shared<ExplainOptions>();
  return {.name = "explain",
          .summary = "Say why a program's kernels are slow, from its counters",
          .group = Group::tools,
          .options = {{.names = "FILE",
                       .type = "FILE",
                       .help = "of `CUEMU_COUNTERS=json=FILE`; docs/explain.md",
                       .value = &o->counters,
                       .required = true,
                       .existing_file = true},
                      {.names = "--device",
                       .type = "NAME",
                       .help = "GPU to explain for: h200, h100, a100 or t4; default: h200",
                       .value = &o->device}},
          .run = [o](Session& session) { return run_explain(session, *o); }};
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
                               .value = &o->log},
                              {.names = "--macro",
                               .type = "NAME=VALUE",
                               .help = "compile with this macro, such as BLOCK_SIZE=8",
                               .value = &o->macros},
                              {.names = "--explain",
                               .help = "predict the time on GPUs, the limit that binds, and helpful changes",
                               .value = &o->explain}},
                             report_options()}),
          .run = [o](Session& session) { return run_profile(session, *o); }};
}

}  // namespace

std::vector<Command> profile_commands() {
  return {profile_command(), explain_command()};
}

}  // namespace grader
