/// @file
/// Runs programs with performance counters, for bank conflicts, sectors and divergence. In emulation, a
/// program that was built with `emucc --counters` counts itself. On a GPU, ncu counts in a separate run.
#pragma once
#include "build/build.hpp"
#include "model/grading.hpp"
#include "run/ncu.hpp"
#include "run/run.hpp"

namespace grader {

/// The settings of a run with counters, besides the program.
struct CountingRequest {
  std::string config;     ///< text of CUDA_PROFILE_CONFIG's file; empty: `default_profile_config`
  std::string device;     ///< emulated device (CUEMU_DEVICE); empty: the default
  int blocks = 0;         ///< in emulation, run at most this many blocks of a launch; 0: all
  bool with_log = false;  ///< whether to write cuda_profile.log, too; on a GPU this needs a second run
};

/// The counters that the tables in the handbook need.
extern const char* const default_profile_config;

struct CountedRun {
  RunResult run;                       ///< the run whose times are in the log
  std::vector<LaunchCounts> launches;  ///< in launch order
  std::string table;                   ///< a table by kernel and line, in 80 columns; only in emulation
  std::string log;                     ///< cuda_profile.log, if requested
  std::string report;                  ///< the emulation's counters as JSON
  std::string said;                    ///< the profiler's messages about the configuration
};

/// @param program the program; in emulation it must be built with Instrument::counters
/// @throws Error (environment) when a GPU's counters are unavailable, because ncu or the permission is missing
CountedRun run_counted(const Toolchain& toolchain, const Submission& submission, const Case& c,
                       Backend backend, const fs::path& program, const CaseData& data,
                       const fs::path& work_folder, const CountingRequest& request,
                       const Machine& machine = this_machine());

/// The launches in the report of the emulation's counters; an empty list for a damaged report.
std::vector<LaunchCounts> read_counts(const std::string& report);

/// The counts by which a class's board ranks. No value if one of them was not counted.
std::optional<KernelCounts> kernel_counts(const std::vector<LaunchCounts>& launches);

/// The sum of a counter over all launches or, for occupancy, the minimum. No value if the counter was not
/// counted.
std::optional<double> counted(const std::vector<LaunchCounts>& launches, const std::string& counter);

}  // namespace grader
