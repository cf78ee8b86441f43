/// @file
/// Folders for files that nobody needs when a command has ended.
#pragma once
#include "base/error.hpp"
#include "base/filesystem.hpp"

namespace grader {

/// "PREFIX4711.83012-host-": begins the name of what goes with this process: its number, when it began, its machine. Machines of a
/// cluster share folders, and the number of a process says nothing on another one.
std::string owned_name(const std::string& prefix);

/// This machine's name, in letters, digits and dots.
std::string host_name();

/// Whether owned_name() began this name, and nobody owns it any more: its process on this machine is gone.
bool is_abandoned(const std::string& name, const std::string& prefix);

/// Removes what is abandoned.
void remove_abandoned(const fs::path& parent, const std::string& prefix);

/// A new folder below `parent`, with all that is in it gone when its owner is. What a killed grader left
/// there is removed by the next one.
class ScratchFolder {
 public:
  /// @throws Error (environment) when it can't be made
  ScratchFolder(const fs::path& parent, const std::string& label);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace grader
