/// @file
/// The old text profiler's log of a run on a GPU:
/// collected from CUPTI's records, written when the program ends.
///
/// CUPTI's activities have no hardware counters. Whoever has run the program under ncu before names a file in
/// CUDA_PROFILE_COUNTERS, whose lines are `LAUNCH COUNTER VALUE`; launches count from 0 in the order of time.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "occupancy.hpp"
#include "text_log.hpp"

namespace cuda_lab_profile {

/// Counters by launch.
using LaunchCounters = std::vector<std::map<std::string, std::int64_t>>;
/// Reads the lines of a file of counters. @throws std::runtime_error that says which line is not understood
LaunchCounters read_counters(const std::string& text);

class TextProfile {
 public:
  /// @param settings as read from the environment, `on`
  explicit TextProfile(cuda_profile_log::Settings settings);

  /// \name What CUPTI records, in any order
  /// @{
  void add(cuda_profile_log::Record record, std::uint64_t start_ns, std::uint64_t end_ns,
           std::uint32_t correlation);
  void add_call(std::uint64_t start_ns, std::uint64_t end_ns, std::uint32_t correlation);
  /// @}
  void set_device(const std::string& name, const Multiprocessor& limits);

  /// The whole log. Counters that nobody gave have no column. @param problems gets sentences about that
  std::string text(std::vector<std::string>& problems);
  /// Writes it to the settings' path; sentences go to standard error.
  void write();

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
