/// @file
/// The files that a student's process left in its writable folder, with any name and of any kind.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/filesystem.hpp"

namespace grader {

/// A folder that an untrusted process fills. It is opened before that process begins, and its files are accessed only
/// relative to that descriptor. No link is followed, and a folder that the process put in its place is ignored. A
/// file counts if it is regular, has no second name and is not too large.
///
/// No process may write to the folder any more when files are read or taken.
class ResultFolder {
 public:
  /// @throws Error (environment) when the path is not a folder or can't be opened
  explicit ResultFolder(const fs::path& folder);

  struct Taken {
    fs::path file;        ///< the file's new place; empty if no file counts
    std::string problem;  ///< the reason, such as "it is a symbolic link"; empty for a missing file
  };
  /// Moves a file to a folder in which only the grader can write. The file's name there is its last name component.
  /// @param name relative to the folder
  /// @param to   a folder on the same disk
  Taken take(const fs::path& name, const fs::path& to, std::uintmax_t largest) const;

  /// A file's bytes; no value if the file does not count.
  std::optional<std::string> read(const fs::path& name, std::uintmax_t largest) const;

 private:
  Descriptor folder_;
};

}  // namespace grader
