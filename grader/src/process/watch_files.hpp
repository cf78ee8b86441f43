/// @file
/// Waits until a file is saved, with inotify, for `grader watch`.
#pragma once
#include <functional>
#include <map>
#include <optional>

#include "base/error.hpp"
#include "base/filesystem.hpp"
#include "process/process.hpp"

namespace grader {

/// Watches a folder and its subfolders from its construction on, so it does not miss a save between two calls
/// of wait().
///
/// A save is the event that a file was written and closed or, as many editors do, renamed into the folder.
/// Editors' own files (`.x`, `x~`, `#x#`) and files that vanish at once do not count.
class FileWatch {
 public:
  /// @param stop ends a wait; called at least every 200 ms
  /// @throws Error (usage) when there is no such folder; (environment) when the system has no more watches
  /// @param gone called by wait() each time it finds that the folder no longer exists
  explicit FileWatch(
      fs::path folder, std::function<bool()> stop = interrupted, std::function<void()> gone = [] {});
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  /// Waits for a save, and then until no event has occurred for 50 ms, since an editor's save consists of several
  /// events. If the folder is deleted or replaced, the function waits for the new folder and watches it.
  /// @return the saved files, sorted; an empty list if the changed files are unknown (the folder was replaced, or
  ///         events were lost); no value if `stop` returned true
  std::optional<std::vector<fs::path>> wait();

 private:
  bool poll(int milliseconds) const;
  void watch_all();
  int add(const fs::path& folder);
  void read_events();
  std::vector<fs::path> settle();

  fs::path folder_;
  std::function<bool()> stop_;
  std::function<void()> gone_;
  bool is_gone_ = false;
  int inotify_ = -1;
  std::map<int, fs::path> watched_;  ///< by inotify's descriptor
  std::uintmax_t inode_ = 0;         ///< inode of the folder; 0: it is missing or was replaced
  int top_ = -1;                     ///< the folder's own descriptor in inotify_
  std::vector<fs::path> saved_;
  bool unknown_ = false;  ///< files changed, but it is unknown which
};

}  // namespace grader
