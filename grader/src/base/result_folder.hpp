/// @file
/// What a student's process left in the folder that it may write: anything may stand there, under any name.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/filesystem.hpp"

namespace grader {

/// A folder that somebody else fills. It is opened before that process begins, and what lies in it is reached from that
/// descriptor alone: no link is followed on the way, and a folder that was put in its place is not looked at. A file counts
/// when it is a regular one that has no second name and is not too large.
///
/// Nobody may write to the folder any more when files are read or taken.
class ResultFolder {
 public:
  /// @throws Error (environment) when it is no folder that can be opened
  explicit ResultFolder(const fs::path& folder);

  struct Taken {
    fs::path file;        ///< where it stands now; empty: there is none that counts
    std::string problem;  ///< why not: "it is a symbolic link"; empty where there is nothing of that name
  };
  /// Moves a file out, to where only the grader can write. It keeps its last name.
  /// @param name relative to the folder
  /// @param to   a folder on the same disk
  Taken take(const fs::path& name, const fs::path& to, std::uintmax_t largest) const;

  /// A file's bytes; none where it does not count.
  std::optional<std::string> read(const fs::path& name, std::uintmax_t largest) const;

 private:
  Descriptor folder_;
};

}  // namespace grader
