/// @file
/// The log of the text profiler that CUDA had up to version 7. Many manuals still use its variables and format:
///
///   CUDA_PROFILE=1            writes the log
///   CUDA_PROFILE_LOG=FILE     its name (cuda_profile.log)
///   CUDA_PROFILE_CONFIG=FILE  options and counters, one a line; # begins a comment
///   CUDA_PROFILE_CSV=1        comma-separated values instead of name=[ value ]
///
/// In emulation the runtime writes the log; on a GPU the injection library writes it. Both use this source, so both
/// logs look the same.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cuda_profile_log {

struct Settings {
  bool on = false;
  bool csv = false;
  std::string path = "cuda_profile.log";
  std::vector<std::string> options;   ///< members of `known_options`, in the order of the file
  std::vector<std::string> counters;  ///< members of `known_counters`
  std::vector<std::string> problems;  ///< sentences about invalid parts of the configuration
};

/// Returns the supported counters.
const std::vector<std::string>& known_counters();

/// Parses a configuration. @param name the file's name, for messages
void read_config(const std::string& text, const std::string& name, Settings& settings);

/// Reads the settings from the environment.
Settings read_settings();

struct Record {
  std::string method;  ///< "reduction1b", "memcpyHtoD", "memset"
  double start_us = 0;
  double gpu_us = 0;
  std::optional<double> cpu_us;  ///< duration of the host's call; none: unknown, and the field is omitted
  bool is_kernel = false;
  double occupancy = 0;
  std::uint32_t grid[3] = {0, 0, 0};
  std::uint32_t block[3] = {0, 0, 0};
  std::uint64_t static_shared = 0;
  std::uint64_t dynamic_shared = 0;
  int registers = 0;
  std::uint64_t bytes = 0;                       ///< bytes of a copy or fill
  std::map<std::string, std::int64_t> counters;  ///< the known counters of this kernel
};

/// Returns the log's name for a direction: "memcpyHtoD" for "h2d".
std::string copy_method(const std::string& direction);

/// Returns the first lines, including the names of the columns.
std::string head(const Settings& settings, int device, const std::string& device_name);
std::string line(const Settings& settings, const Record& record);

}  // namespace cuda_profile_log
