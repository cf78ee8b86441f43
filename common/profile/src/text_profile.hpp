/// @file
/// The old text profiler's log of a run on a GPU. It is collected from CUPTI's records and written at the program's
/// end.
///
/// CUPTI's activities have no hardware counters. Counters come from an earlier run under ncu, in the file that
/// CUDA_PROFILE_COUNTERS names. Its lines are `LAUNCH COUNTER VALUE`; launches count from 0 in order of time.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "occupancy.hpp"
#include "text_log.hpp"

namespace cuda_lab_profile {

using LaunchCounters = std::vector<std::map<std::string, std::int64_t>>;
/// Reads the lines of a file of counters. @throws std::runtime_error with the invalid line
LaunchCounters read_counters(const std::string& text);

class TextProfile {
 public:
  /// @param settings the settings read from the environment; the profiler is on
  explicit TextProfile(cuda_profile_log::Settings settings);

  /// \name CUPTI's records, in any order
  /// @{
  void add(cuda_profile_log::Record record, std::uint64_t start_ns, std::uint64_t end_ns,
           std::uint32_t correlation);
  void add_call(std::uint64_t start_ns, std::uint64_t end_ns, std::uint32_t correlation);
  /// @}
  void set_device(const std::string& name, const Multiprocessor& limits);

  /// Returns the whole log. A counter without values has no column. @param problems gets sentences about such counters
  std::string text(std::vector<std::string>& problems);
  /// Writes the log to the settings' path. @return sentences about what the log lacks
  std::vector<std::string> write();

 private:
  struct Entry {
    cuda_profile_log::Record record;
    std::uint64_t start_ns;
    std::uint32_t correlation;
  };
  cuda_profile_log::Settings settings_;
  std::string device_ = "unknown";
  Multiprocessor limits_;
  std::vector<Entry> entries_;
  std::map<std::uint32_t, double> call_us_;  ///< by correlation
};

}  // namespace cuda_lab_profile
