/// @file
/// Folders for files that nobody needs when a command has ended.
#pragma once
#include "base/error.hpp"
#include "base/filesystem.hpp"

namespace grader {

/// A new folder below `parent`, with all that is in it gone when its owner is. What a killed grader left
/// there is removed by the next one: the folder's name holds the number of the process that made it.
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
