/// @file
/// What names an entry of the build cache: a digest of all that goes into it.
#pragma once
#include "base/sha256.hpp"
#include "build/toolchain.hpp"
#include "model/lab.hpp"

namespace grader {

/// Collects what determines a program or an object. Each piece is preceded by its length, so that no two
/// lists give the same bytes.
class Key {
 public:
  /// @param kind what is named, and the version of its key
  explicit Key(const std::string& kind) { add(kind); }
  void add(const std::string& piece);
  /// A file that is not read: its path, size and date of change stand for it.
  void add_state(const fs::path& file);
  void add_compiler(const fs::path& compiler, const std::string& version);
  /// Names and contents of all files below a folder.
  void add_contents(const fs::path& folder);
  std::string digest() { return hash_.hex_digest(); }

 private:
  Sha256 hash_;
};

/// Regular files below a folder, sorted; the first 2000 found.
std::vector<fs::path> files_below(const fs::path& folder);

/// What every object and program of a backend depends on: the kit's headers, the compilers and their headers,
/// libraries and variables, as they are now.
std::string environment_digest(const Toolchain& toolchain, Backend backend);

}  // namespace grader
