/// @file
/// What comes through a program's channel (process.hpp): the profile of its run, and reports of tools that are linked with it.
///
/// The emulation seals each line with a key that it read from the channel before the program began. A line without its seal
/// was written by somebody else: it does not count, and is told. On a GPU the profiler is loaded late and has no key: what it
/// tells is taken as it is, and cross-checked (implausible()).
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "model/profile.hpp"

namespace grader {

/// What the program reads first: the key, and what is wanted of the emulation and its tools.
class Hello {
 public:
  /// @param settings names of the emulation's settings, with their values
  explicit Hello(const std::map<std::string, std::string>& settings);
  const std::string& key() const { return key_; }
  const std::string& text() const { return text_; }

 private:
  std::string key_, text_;
};

struct ChannelTold {
  std::string profile;                         ///< its lines, each with its end
  std::map<std::string, std::string> reports;  ///< by kind: "findings", "counters", "record", "trace"; JSON
  bool forked = false;  ///< the program started another process, and may have worked there
  bool forged = false;  ///< a line was not the emulation's, or one of its own is missing
};
/// @param key of the seals; empty: lines have none
ChannelTold read_channel(std::string_view said, const std::string& key);

/// Why a profile can't be true, as a sentence; empty: it can.
/// @param wall_s that the program took, by the grader's own clock
std::string implausible(const Profile& profile, double wall_s);

}  // namespace grader
