/// @file
/// Reads files that a student's process left in its writable folder. They may have any name and be of any
/// kind.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/filesystem.hpp"

namespace grader {

/// A folder that an untrusted process fills. It is opened before that process begins, and its files are
/// accessed only relative to that descriptor. So no link is followed, and a folder that the process put in
/// its place has no effect. A file is accepted if it is regular, has only one name, and is not too large.
///
/// When files are read or taken, no process may write to the folder any more.
class ResultFolder {
 public:
  /// @throws Error (environment) when the path is not a folder or can't be opened
  explicit ResultFolder(const fs::path& folder);

  struct Taken {
    fs::path file;        ///< the file's new place; empty if no file was accepted
    std::string problem;  ///< why, such as "it is a symbolic link"; empty for a missing file
  };
  /// Moves a file to a folder in which only the grader can write. There it has the last component of its
  /// name.
  /// @param name relative to the folder
  /// @param to   a folder on the same disk
  Taken take(const fs::path& name, const fs::path& to, std::uintmax_t largest) const;

  /// The bytes of a file. No value if the file is not accepted.
  std::optional<std::string> read(const fs::path& name, std::uintmax_t largest) const;

 private:
  Descriptor folder_;
};

}  // namespace grader
