/// @file
/// What one run of a program did on the device, as plain data.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/measure.hpp"

namespace grader {

/// One activity of the device, from the profile.
struct Activity {
  enum class Kind { kernel, h2d, d2h, d2d, h2h, memset, alloc, free } kind = Kind::kernel;
  std::string name;    ///< kernel's demangled name without parameters
  double start_s = 0;  ///< since an arbitrary origin of this run
  double duration_s = 0;
  std::uint64_t bytes =
      0;  ///< moved or allocated; for a kernel: shared memory of a block, static and dynamic
  std::uint64_t address = 0;  ///< of an allocation
  std::uint32_t grid[3] = {0, 0, 0};
  std::uint32_t block[3] = {0, 0, 0};
};

/// What one copy moved, or a row of it where the host's side has gaps, by its hash (common/profile's content_hash.hpp).
struct Content {
  bool to_host = false;
  bool shared =
      false;  ///< came from memory that the host may write as well, so it need not be a kernel's work
  std::uint64_t bytes = 0;
  std::uint64_t hash = 0;
  std::uint64_t head = 0;  ///< the first 8 bytes; those that a shorter content lacks are zeros
};

/// What one run of the program did on the device.
struct Profile {
  std::string source;  ///< "cupti", "emulation"; empty: no profiler wrote, so nothing is known but the timers
  std::string device;
  std::vector<Activity> activities;
  std::vector<std::pair<std::string, double>> timers;  ///< the lab's own timers: name, seconds
  std::vector<std::string> notes;                      ///< what the profiler has to say of itself
  bool has_contents = false;           ///< what every copy moved was asked for, and stands in `contents`
  std::vector<Content> contents = {};  ///< in the order of the copies
  bool host_visible = false;  ///< a kernel may have left results in memory that the host reads without a copy
  bool complete = false;      ///< the profile has its last line: the program ended in order
  std::string doubt = {};     ///< why it can't be true, as the end of a sentence; empty: it can
};

/// Seconds on the device of a measure in_profile(). Where the profile saw no device (no CUPTI), the program's own
/// timers of that name.
/// @return none when the run did nothing of the kind
std::optional<double> measured_seconds(const Profile& profile, const Measure& measure);

/// Bytes moved by h2d or d2h; none for other measures and when nothing was moved.
std::optional<double> measured_bytes(const Profile& profile, const Measure& measure);

/// Where measured_seconds() comes from: Profile::source, "events" for the program's own timers, empty for neither.
std::string time_source(const Profile& profile);

}  // namespace grader
