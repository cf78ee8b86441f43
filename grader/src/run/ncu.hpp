/// @file
/// Reads hardware counters on a GPU with NVIDIA's Nsight Compute: makes its command line, and converts its
/// CSV to the counters of the emulation.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/filesystem.hpp"

namespace grader {

/// The counters of one kernel launch, under the names of emucc's counters ("shared_load_conflicts",
/// "global_load_sectors") and of the old text profiler ("warp_serialize").
struct LaunchCounts {
  std::string kernel;  ///< without parameters and template arguments
  std::map<std::string, std::int64_t> values;
  std::optional<double> occupancy = {};  ///< from 0 to 1; known only in emulation
};

/// The path of ncu in PATH, in nvcc's folder, or in /usr/local/cuda/bin. Empty if there is none.
fs::path find_ncu(const fs::path& nvcc);

/// The words before a program and its arguments: `ncu --csv --metrics …`.
std::vector<std::string> ncu_command(const fs::path& ncu);

/// Parses the output of such a command. Launches keep their order. Lines before the table are ncu's own messages.
/// @throws Error (environment) when ncu reports that it may not count (ERR_NVGPUCTRPERM) or can't count, or when
///         there is no table
std::vector<LaunchCounts> parse_ncu(const std::string& printed);

/// The lines of a CUDA_PROFILE_COUNTERS file (common/profile/src/text_profile.hpp).
std::string profile_counters(const std::vector<LaunchCounts>& launches);

/// Adds counters that follow from others, such as `warp_serialize`.
void add_profiler_names(std::map<std::string, std::int64_t>& values);

}  // namespace grader
