/// @file
/// What the device did during one run of a program, as plain data.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/measure.hpp"

namespace grader {

/// One activity of the device, such as a kernel or a copy.
struct Activity {
  enum class Kind { kernel, h2d, d2h, d2d, h2h, memset, alloc, free } kind = Kind::kernel;
  std::string name;    ///< kernel's demangled name without parameters
  double start_s = 0;  ///< seconds since the beginning of the profile's clock
  double duration_s = 0;
  std::uint64_t bytes =
      0;  ///< bytes moved or allocated; for a kernel: a block's shared memory, static and dynamic
  std::uint64_t address = 0;  ///< address of an allocation
  std::uint32_t grid[3] = {0, 0, 0};
  std::uint32_t block[3] = {0, 0, 0};
};

/// The hash (common/profile's content_hash.hpp) of the content of one copy. If the host's side of the copy
/// has gaps, each row is a Content.
struct Content {
  bool to_host = false;
  bool shared =
      false;  ///< it comes from memory that the host can write, too, so it may not be a kernel's work
  std::uint64_t bytes = 0;
  std::uint64_t hash = 0;
  std::uint64_t head = 0;  ///< the first 8 bytes, padded with zeros
};

/// What the device did during one run of the program.
struct Profile {
  std::string source;  ///< "cupti", "emulation"; empty: no profiler ran, so only the timers are known
  std::string device;
  std::vector<Activity> activities;
  std::vector<std::pair<std::string, double>> timers;  ///< the lab's own timers: name, seconds
  std::vector<std::string> notes;                      ///< the profiler's own messages
  bool has_contents = false;                           ///< whether `contents` has the contents of all copies
  std::vector<Content> contents = {};                  ///< in the order of the copies
  bool host_visible = false;  ///< a kernel may have left results in memory that the host reads without a copy
  bool complete = false;      ///< whether the profile has its last line, so that the program ended in order
  std::string doubt = {};     ///< why it is implausible, as the end of a sentence; empty: it is plausible
};

/// The seconds that the device spent on a measure, which must be in_profile(). If the profile has no device
/// activity (no CUPTI), the sum of the program's own timers of that name.
/// @return no value if the run did none of this work
std::optional<double> measured_seconds(const Profile& profile, const Measure& measure);

/// The bytes moved by h2d or d2h. No value for other measures, or if there are no copies.
std::optional<double> measured_bytes(const Profile& profile, const Measure& measure);

/// How the times of measured_seconds() were measured: Profile::source, or "events" for the program's own
/// timers. Empty if there are none.
std::string time_source(const Profile& profile);

}  // namespace grader
