/// @file
/// Reads what a program sent through its channel (process.hpp), which consists of records of common/wire: the
/// profile of the run, the end of a kernel, a CUDA error, and reports of the tools that are linked with the
/// program.
///
/// The emulation seals each line with a key that it read from the channel before the program began. A line
/// without its seal is forged, so it is ignored and reported. On a GPU, the profiler is loaded late and has
/// no key, so its lines are accepted and then checked for plausibility (implausible()).
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "model/profile.hpp"
#include "wire/stop.hpp"
#include "wire/todo.hpp"

namespace grader {

/// What the grader sends to the program first: the key, and the settings of the emulation and its tools.
class Hello {
 public:
  /// @param settings values by the names of the emulation's settings
  explicit Hello(const std::map<std::string, std::string>& settings);
  const std::string& key() const { return key_; }
  const std::string& text() const { return text_; }

 private:
  std::string key_, text_;
};

struct ChannelContent {
  std::string profile;                         ///< the lines of the profile, each with its newline
  std::map<std::string, std::string> reports;  ///< by kind: "findings", "counters", "record", "trace" …; JSON
  /// The kernel that was stopped, or during which the time limit was reached. Of several, the first.
  std::optional<kit_wire::Stop> stop;
  std::optional<kit_wire::CudaError> cuda_error;  ///< the CUDA error that ended the program
  std::optional<kit_wire::Todo> todo;             ///< the first blank that the program reached
  bool forked = false;  ///< whether the program started another process, which may have done the work
  bool forged = false;  ///< whether a line has no valid seal, or one of the emulation's lines is missing
};
/// @param key the key of the seals. If it is empty, lines have no seal, and only those of a profile count
ChannelContent read_channel(std::string_view said, const std::string& key);

/// Why a profile is impossible, as a sentence. Empty if it is plausible.
/// @param wall_s how long the program ran by the grader's own clock
std::string implausible(const Profile& profile, double wall_s);

}  // namespace grader
