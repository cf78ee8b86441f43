/// @file
/// Hardware counters on a GPU, by NVIDIA's Nsight Compute: its command line, and its CSV read back into the
/// counters that the emulation has.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/filesystem.hpp"

namespace grader {

/// What was counted of one launch of a kernel. Names are those of emucc's counters ("shared_load_conflicts",
/// "global_load_sectors") and of the old text profiler ("warp_serialize").
struct LaunchCounts {
  std::string kernel;  ///< without parameters and template arguments
  std::map<std::string, std::int64_t> values;
  std::optional<double> occupancy = {};  ///< from 0 to 1; known in emulation alone
};

/// ncu in PATH, beside nvcc, or in /usr/local/cuda/bin; empty where it is nowhere.
fs::path find_ncu(const fs::path& nvcc);

/// `ncu --csv --metrics …`, to be put before a program and its arguments.
std::vector<std::string> ncu_command(const fs::path& ncu);

/// Reads what such a command printed, launches in their order. Lines before the table are ncu's own talk.
/// @throws Error (environment) where ncu says that it may not count (ERR_NVGPUCTRPERM), that it can't, or where
///         there is no table
std::vector<LaunchCounts> parse_ncu(const std::string& printed);

/// The lines of a CUDA_PROFILE_COUNTERS file (common/profile/src/text_profile.hpp).
std::string profile_counters(const std::vector<LaunchCounts>& launches);

/// Values that follow from others: `warp_serialize` and its like.
void add_profiler_names(std::map<std::string, std::int64_t>& values);

}  // namespace grader
