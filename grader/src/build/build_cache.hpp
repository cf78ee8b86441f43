/// @file
/// Stores programs and objects by the hash of all their inputs. Several graders may use one cache in parallel.
///
///     <folder>/<key>/program      the program or object
///     <folder>/<key>/entry.json   its size, its checksum and the compiler's messages
///     <folder>/tmp-XXXXXX/        an entry that is being made
///
/// An entry appears by one rename, so it is either complete or missing. If its checksum shows damage, the
/// entry is made again.
#pragma once
#include <optional>

#include "process/machine.hpp"

namespace grader {

struct CacheEntry {
  fs::path program;
  std::string diagnostics;
};

class BuildCache {
 public:
  struct Limits {
    std::size_t entries = 300;
    std::uint64_t bytes = std::uint64_t{2} << 30;
    double spared_s = 600;  ///< seconds for which a used entry is never removed, since it may be running
  };

  /// @throws Error (environment) when the folder can't be created
  BuildCache(fs::path folder, FileSystem& files) : BuildCache(std::move(folder), files, Limits()) {}
  BuildCache(fs::path folder, FileSystem& files, Limits limits);

  /// The entry; no value if it is missing or damaged.
  std::optional<CacheEntry> find(const std::string& key) const;

  /// A folder in which a program is made. The destructor removes it with all that it contains.
  class Workshop {
   public:
    explicit Workshop(fs::path folder) : path(std::move(folder)) {}
    Workshop(const Workshop&) = delete;
    Workshop& operator=(const Workshop&) = delete;
    ~Workshop();
    const fs::path path;
  };
  /// @throws Error (environment) when the disk is full
  fs::path new_workshop() const;

  /// Moves a program from a workshop into the cache, and removes the oldest entries that exceed the limits.
  CacheEntry keep(const std::string& key, const fs::path& workshop, const fs::path& program,
                  const std::string& diagnostics) const;

 private:
  bool is_time_to_evict() const;
  void evict() const;

  fs::path folder_;
  FileSystem& files_;
  Limits limits_;
};

}  // namespace grader
