/// @file
/// The log of the text profiler that CUDA had until version 7,
/// whose variables and format many manuals still use:
///
///   CUDA_PROFILE=1            writes the log
///   CUDA_PROFILE_LOG=FILE     its name (cuda_profile.log)
///   CUDA_PROFILE_CONFIG=FILE  options and counters, one a line; # begins a comment
///   CUDA_PROFILE_CSV=1        values between commas, in place of name=[ value ]
///
/// Written by the emulation's runtime, and on a GPU by the injection library:
/// one source, so that both logs look the same.
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
  std::vector<std::string> options;   ///< those of `known_options`, in the order of the file
  std::vector<std::string> counters;  ///< those of `known_counters`
  std::vector<std::string> problems;  ///< sentences: what of the configuration is not understood
};

/// The counters that have a meaning today.
const std::vector<std::string>& known_counters();

/// What a configuration's text asks for. @param name of the file, for sentences
void read_config(const std::string& text, const std::string& name, Settings& settings);

/// From the environment of this process.
Settings read_settings();

/// One kernel, copy or fill.
struct Record {
  std::string method;  ///< "reduction1b", "memcpyHtoD", "memset"
  double start_us = 0;
  double gpu_us = 0;
  std::optional<double> cpu_us;  ///< of the call on the host; none: not known, and the field is left out
  bool is_kernel = false;
  double occupancy = 0;
  std::uint32_t grid[3] = {0, 0, 0};
  std::uint32_t block[3] = {0, 0, 0};
  std::uint64_t static_shared = 0;
  std::uint64_t dynamic_shared = 0;
  int registers = 0;
  std::uint64_t bytes = 0;                       ///< of a copy or fill
  std::map<std::string, std::int64_t> counters;  ///< those that are known of this kernel
};

/// "h2d" and its like as the log calls them: "memcpyHtoD".
std::string copy_method(const std::string& direction);

/// The first lines, up to the names of the columns.
std::string head(const Settings& settings, int device, const std::string& device_name);
/// One line.
std::string line(const Settings& settings, const Record& record);

}  // namespace cuda_profile_log
