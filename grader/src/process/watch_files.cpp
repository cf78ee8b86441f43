// inotify follows a folder by its inode. If the folder is replaced (git checkout, a reset), the watch stays
// on the old inode. So each iteration of a wait compares the inode of the path. The folder also counts as
// replaced if the watch on it ends: a folder that is created again at once may get the same inode number.
#include "process/watch_files.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "base/files.hpp"

namespace grader {
namespace {

constexpr int quiet_ms = 50;
constexpr int turn_ms = 200;
constexpr auto longest_settling =
    std::chrono::seconds(2);  ///< a program that keeps writing delays the result by no more than this
constexpr std::uint32_t events =
    IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

/// The folder's inode number; 0 if the folder does not exist.
std::uintmax_t inode_of(const fs::path& folder) {
  struct stat status {};
  return ::stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) ? status.st_ino : 0;
}

bool is_editors_own(const std::string& name) {
  return name.starts_with('.') || name.starts_with('#') || name.ends_with('~');
}

[[noreturn]] void fail(const fs::path& folder, int error) {
  const std::string sentence = fmt::format("{} can't be watched: {}.", shown(folder),
                                           std::error_code(error, std::generic_category()).message());
  if (error == ENOENT || error == ENOTDIR) throw Error(ErrorKind::usage, sentence);
  const bool exhausted = error == ENOSPC || error == EMFILE || error == ENFILE;
  throw Error(ErrorKind::environment, sentence,
              exhausted ? "Too many files are watched on this machine: close some programs, or raise "
                          "fs.inotify.max_user_watches and "
                          "fs.inotify.max_user_instances with sysctl."
                        : "");
}

}  // namespace

FileWatch::FileWatch(fs::path folder, std::function<bool()> stop, std::function<void()> gone)
    : folder_(std::move(folder)), stop_(std::move(stop)), gone_(std::move(gone)) {
  if (inode_of(folder_) == 0) fail(folder_, fs::exists(folder_) ? ENOTDIR : ENOENT);
  inotify_ = ::inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (inotify_ < 0) fail(folder_, errno);
  try {
    watch_all();
  } catch (...) {
    ::close(inotify_);
    throw;
  }
}

FileWatch::~FileWatch() {
  ::close(inotify_);
}

/// Adds a watch, and returns its descriptor, or -1 if the folder no longer exists. A folder may be added
/// twice, since inotify returns the same descriptor for the same inode.
int FileWatch::add(const fs::path& folder) {
  const int descriptor = ::inotify_add_watch(inotify_, folder.c_str(), events);
  if (descriptor >= 0) {
    watched_[descriptor] = folder;
  } else if (errno != ENOENT && errno != ENOTDIR) {  // a folder that no longer exists is not watched
    fail(folder, errno);
  }
  return descriptor;
}

void FileWatch::watch_all() {
  inode_ = inode_of(folder_);
  if (inode_ == 0) return;
  top_ = add(folder_);
  std::error_code failed;
  for (fs::recursive_directory_iterator at(folder_, failed), end; !failed && at != end;
       at.increment(failed)) {
    if (!at->is_directory(failed) || at->is_symlink(failed)) continue;
    if (is_hidden(at->path())) {
      at.disable_recursion_pending();
    } else {
      add(at->path());
    }
  }
}

bool FileWatch::poll(int milliseconds) const {
  pollfd ready{inotify_, POLLIN, 0};
  return ::poll(&ready, 1, milliseconds) > 0;
}

void FileWatch::read_events() {
  alignas(inotify_event) char buffer[16384];
  for (;;) {
    const ssize_t bytes = ::read(inotify_, buffer, sizeof buffer);
    if (bytes <= 0) return;  // EAGAIN: all events were read
    for (ssize_t at = 0; at < bytes;) {
      const auto* event = reinterpret_cast<const inotify_event*>(buffer + at);
      at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
      if ((event->mask & IN_Q_OVERFLOW) != 0) {
        unknown_ = true;
        watch_all();
        continue;
      }
      const auto folder = watched_.find(event->wd);
      if (folder == watched_.end()) continue;
      if ((event->mask & IN_IGNORED) != 0) {
        if (event->wd == top_) inode_ = 0;
        watched_.erase(folder);
        continue;
      }
      const std::string name = event->len > 0 ? event->name : "";
      if (name.empty() || is_editors_own(name)) continue;
      if ((event->mask & IN_ISDIR) != 0) {
        // A new subfolder may receive files before its watch is set.
        unknown_ = true;
        watch_all();
      } else if ((event->mask & (IN_CLOSE_WRITE | IN_MOVED_TO)) != 0) {
        saved_.push_back(folder->second / name);
      }
    }
  }
}

std::vector<fs::path> FileWatch::settle() {
  const auto begin = std::chrono::steady_clock::now();
  while (poll(quiet_ms) && std::chrono::steady_clock::now() - begin < longest_settling && !stop_())
    read_events();
  std::sort(saved_.begin(), saved_.end());
  saved_.erase(std::unique(saved_.begin(), saved_.end()), saved_.end());
  std::error_code ignored;
  std::erase_if(saved_, [&](const fs::path& file) { return !fs::exists(file, ignored); });
  return std::move(saved_);
}

std::optional<std::vector<fs::path>> FileWatch::wait() {
  while (!stop_()) {
    const std::uintmax_t inode = inode_of(folder_);
    const bool was_gone = std::exchange(is_gone_, inode == 0);
    if (is_gone_ && !was_gone) gone_();
    if (inode != inode_) {
      watch_all();
      unknown_ = unknown_ || inode_ != 0;
    }
    if (!unknown_ && !poll(turn_ms)) continue;
    read_events();
    if (!unknown_ && saved_.empty()) continue;
    std::vector<fs::path> saved = settle();
    saved_.clear();
    if (unknown_ || !saved.empty()) {
      const bool known = !unknown_;
      unknown_ = false;
      return known ? std::move(saved) : std::vector<fs::path>{};
    }
  }
  return {};
}

}  // namespace grader
