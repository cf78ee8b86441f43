/// @file
/// Runs with performance counters: bank conflicts, sectors, divergence. In emulation a program built with
/// `emucc --counters` counts by itself; on a GPU ncu does, in a run of its own.
#pragma once
#include "build/build.hpp"
#include "run/ncu.hpp"
#include "run/run.hpp"

namespace grader {

/// What is to be counted, besides the program.
struct CountingRequest {
  std::string config;     ///< text of a CUDA_PROFILE_CONFIG file; empty: `default_profile_config`
  std::string device;     ///< that is emulated (CUEMU_DEVICE); empty: the usual one
  bool with_log = false;  ///< cuda_profile.log too; on a GPU it needs a second run
};

/// The counters of the handbook's tables.
extern const char* const default_profile_config;

struct CountedRun {
  RunResult run;                       ///< the one whose times are in the log
  std::vector<LaunchCounts> launches;  ///< in their order
  std::string table;                   ///< by kernel and line, in 80 columns; in emulation alone
  std::string log;                     ///< cuda_profile.log, where it was asked for
  std::string report;                  ///< JSON of the emulation's counters
  std::string said;                    ///< what the profiler had to say of the configuration
};

/// @param program built for this: in emulation with Instrument::counters
/// @throws Error (environment) where a GPU's counters can't be had: no ncu, or not permitted
CountedRun run_counted(const Toolchain& toolchain, const Submission& submission, const Case& c,
                       Backend backend, const fs::path& program, const CaseData& data,
                       const fs::path& work_folder, const CountingRequest& request,
                       const Machine& machine = this_machine());

/// The launches in the report of the emulation's counters; none where it is damaged.
std::vector<LaunchCounts> read_counts(const std::string& report);

/// The sum of a counter over all launches, of occupancy the lowest; none where it was not counted.
std::optional<double> counted(const std::vector<LaunchCounts>& launches, const std::string& counter);

}  // namespace grader
