/// @file
/// The key of an entry of the build cache: a digest of all its inputs.
#pragma once
#include "base/sha256.hpp"
#include "build/toolchain.hpp"
#include "model/lab.hpp"

namespace grader {

/// Collects the inputs of a program or an object. The length of each piece precedes it, so different lists of
/// pieces give different bytes.
class Key {
 public:
  /// @param kind the kind of entry, with the version of its key
  explicit Key(const std::string& kind) { add(kind); }
  void add(const std::string& piece);
  /// Adds a file without reading it. Its path, size and time of change represent it.
  void add_state(const fs::path& file);
  void add_compiler(const fs::path& compiler, const std::string& version);
  /// Adds the names and contents of all files below a folder.
  void add_contents(const fs::path& folder);
  std::string digest() { return hash_.hex_digest(); }

 private:
  Sha256 hash_;
};

/// The regular files below a folder, sorted. At most the first 2000 that are found.
std::vector<fs::path> files_below(const fs::path& folder);

/// A digest of everything that affects all objects and programs of a backend: the current state of the kit's
/// headers, and of the compilers with their headers, libraries and variables.
std::string environment_digest(const Toolchain& toolchain, Backend backend);

}  // namespace grader
