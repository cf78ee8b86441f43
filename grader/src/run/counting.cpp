#include "run/counting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/columns.hpp"
#include "model/json.hpp"

namespace grader {
namespace {

constexpr const char* log_name = "cuda_profile.log";
constexpr const char* config_name = "profile_config";
constexpr const char* counts_name = ".profile_counters";
constexpr double patience = 20;  // factor: every access is recorded, or every kernel runs several times
constexpr std::uintmax_t largest_report = 64 << 20;

std::string left_in(const RunResult& run, const char* name) {
  return run.left ? run.left->read(name, largest_report).value_or("") : "";
}

/// The profiler's notes on entries that its log lacks, with the reasons. Each line is a sentence.
std::string notes_in(const Profile& profile) {
  std::string text;
  for (const std::string& note : profile.notes) text += note + "\n";
  return text;
}

/// The table of the counters for people, which the emulation writes.
std::string table_in(const RunResult& run) {
  const auto report = run.reports.find("counters_table");
  if (report == run.reports.end()) return {};
  const auto table = json_or_null(report->second);
  return table.is_string() ? table.get<std::string>() : std::string();
}

RunTool with_log(const CountingRequest& request) {
  RunTool tool;
  tool.patience = patience;
  tool.environment["CUDA_PROFILE"] = "1";
  tool.environment["CUDA_PROFILE_LOG"] = log_name;
  tool.environment["CUDA_PROFILE_CONFIG"] = config_name;
  tool.files.push_back({config_name, request.config.empty() ? default_profile_config : request.config});
  return tool;
}

CountedRun count_in_emulation(const Toolchain& toolchain, const Submission& submission, const Case& c,
                              const fs::path& program, const CaseData& data, const fs::path& work_folder,
                              const CountingRequest& request, const Machine& machine) {
  RunTool tool;
  tool.patience = patience;
  // Otherwise the program gets the same environment as in every run.
  if (request.with_log) tool = with_log(request);
  if (request.blocks > 0) tool.settings["CUEMU_COUNTERS"] = "blocks=" + std::to_string(request.blocks);
  if (!request.device.empty()) tool.environment["CUEMU_DEVICE"] = request.device;
  tool.files.insert(tool.files.end(), submission.files.begin(), submission.files.end());  // for quoting lines
  CountedRun counted;
  counted.run =
      run_case(toolchain, *submission.lab, c, Backend::emu, program, data, work_folder, tool, machine);
  counted.report = counted.run.reports["counters"];
  counted.launches = read_counts(counted.report);
  counted.log = left_in(counted.run, log_name);
  counted.said = notes_in(counted.run.profile);
  counted.table = table_in(counted.run);
  return counted;
}

CountedRun count_on_gpu(const Toolchain& toolchain, const Submission& submission, const Case& c,
                        const fs::path& program, const CaseData& data, const fs::path& work_folder,
                        const CountingRequest& request, const Machine& machine) {
  const fs::path ncu_program = find_ncu(toolchain.nvcc);
  if (ncu_program.empty())
    throw Error(ErrorKind::environment, "Nsight Compute's ncu, which reads a GPU's counters, is not here.",
                "install it with the CUDA toolkit, or count in emulation: --backend emu");
  RunTool ncu;
  ncu.profile = false;  // two tools can't be loaded together
  ncu.patience = patience;
  ncu.syscalls = Syscalls::all;  // ncu may have to trace the program
  ncu.wrapper = ncu_command(ncu_program);
  std::error_code unknown;
  // The toolkit's ncu may be a script that starts another ncu, which packages install in /opt.
  ncu.read_only = {fs::canonical(ncu_program, unknown).parent_path(), "/opt/nvidia/nsight-compute"};
  // With this, ncu's locks and partial files stay in the run's folder.
  ncu.environment["TMPDIR"] = ".";
  ncu.environment["HOME"] = ".";
  CountedRun counted;
  counted.run =
      run_case(toolchain, *submission.lab, c, Backend::gpu, program, data, work_folder, ncu, machine);
  counted.launches = parse_ncu(counted.run.process.out + "\n" + counted.run.process.err);
  if (!request.with_log) return counted;
  RunTool log = with_log(request);
  log.environment["CUDA_PROFILE_COUNTERS"] = counts_name;
  log.files.push_back({counts_name, profile_counters(counted.launches)});
  counted.run =
      run_case(toolchain, *submission.lab, c, Backend::gpu, program, data, work_folder, log, machine);
  counted.log = left_in(counted.run, log_name);
  counted.said = notes_in(counted.run.profile);
  return counted;
}

}  // namespace

const char* const default_profile_config =
    "warp_serialize\ndivergent_branch\ngld_request\ngst_request\nshared_load\nshared_store\n";

CountedRun run_counted(const Toolchain& toolchain, const Submission& submission, const Case& c,
                       Backend backend, const fs::path& program, const CaseData& data,
                       const fs::path& work_folder, const CountingRequest& request, const Machine& machine) {
  return (backend == Backend::emu ? count_in_emulation : count_on_gpu)(toolchain, submission, c, program,
                                                                       data, work_folder, request, machine);
}

std::vector<LaunchCounts> read_counts(const std::string& report) {
  std::vector<LaunchCounts> launches;
  const auto json = json_or_null(report);
  if (!json.contains("kernels")) return launches;
  try {
    for (const auto& kernel : json.at("kernels")) {
      for (const auto& launch : kernel.at("launches")) {
        LaunchCounts counts{kernel.at("name"), {}};
        for (const auto& [name, value] : launch.at("counters").items()) {
          if (!value.is_number_integer()) return {};
          counts.values[name] = value;
        }
        if (launch.contains("occupancy")) counts.occupancy = launch.at("occupancy");
        add_profiler_names(counts.values);
        launches.push_back(std::move(counts));
      }
    }
  } catch (const nlohmann::json::exception&) {
    return {};  // the program overwrote the report
  }
  return launches;
}

std::optional<KernelCounts> kernel_counts(const std::vector<LaunchCounts>& launches) {
  KernelCounts out;
  const auto add = [&](std::int64_t& sum, const char* counter) {
    const auto value = counted(launches, counter);
    if (value) sum += static_cast<std::int64_t>(*value);
    return value.has_value();
  };
  const bool all = add(out.sectors, "global_load_sectors") && add(out.sectors, "global_store_sectors") &&
                   add(out.conflicts, "shared_load_conflicts") &&
                   add(out.conflicts, "shared_store_conflicts") && add(out.barriers, "barriers");
  return all ? std::optional(out) : std::nullopt;
}

std::optional<double> counted(const std::vector<LaunchCounts>& launches, const std::string& counter) {
  if (counter == "occupancy") {
    std::optional<double> lowest;
    for (const LaunchCounts& launch : launches)
      if (launch.occupancy) lowest = std::min(lowest.value_or(1), *launch.occupancy);
    return lowest;
  }
  double sum = 0;
  for (const LaunchCounts& launch : launches) {
    const auto found = launch.values.find(counter);
    if (found == launch.values.end()) return std::nullopt;
    sum += static_cast<double>(found->second);
  }
  return launches.empty() ? std::nullopt : std::optional<double>(sum);
}

}  // namespace grader
