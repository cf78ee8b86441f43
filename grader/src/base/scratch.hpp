/// @file
/// Folders for files that are not needed after a command has ended.
#pragma once
#include "base/error.hpp"
#include "base/filesystem.hpp"

namespace grader {

/// "PREFIX4711.83012-host-": the beginning of the name of a file that belongs to this process. It contains
/// the process number, the process's start time and the machine's name, because the machines of a cluster
/// share folders, and a process number is meaningless on another machine.
std::string owned_name(const std::string& prefix);

/// This machine's name, in letters, digits and dots.
std::string host_name();

/// Whether owned_name() made the beginning of this name, for a process of this machine that no longer exists.
bool is_abandoned(const std::string& name, const std::string& prefix);

/// Removes the abandoned entries of a folder.
void remove_abandoned(const fs::path& parent, const std::string& prefix);

/// A new folder below `parent`, which the destructor removes with its content. If the grader is killed, the
/// next grader removes it.
class ScratchFolder {
 public:
  /// @throws Error (environment) when the folder can't be made
  ScratchFolder(const fs::path& parent, const std::string& label);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace grader
