// Names are grader-LABEL-PID-XXXXXX.
#include "base/scratch.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "base/removal.hpp"

namespace grader {
namespace {

/// Number of the process in a folder's name, or 0.
pid_t owner_of(const std::string& name, const std::string& prefix) {
  if (name.compare(0, prefix.size(), prefix) != 0) return 0;
  pid_t owner = 0;
  const char* end = name.data() + name.size();
  const auto [after, error] = std::from_chars(name.data() + prefix.size(), end, owner);
  return error == std::errc() && after != end && *after == '-' ? owner : 0;
}

void remove_abandoned(const fs::path& parent, const std::string& prefix) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, ignored)) {
    const pid_t owner = owner_of(entry.path().filename().string(), prefix);
    // A process of another user gives EPERM: it lives, and its folder is not ours anyway.
    if (owner > 0 && kill(owner, 0) != 0 && errno == ESRCH) remove_tree(entry.path());
  }
}

}  // namespace

ScratchFolder::ScratchFolder(const fs::path& parent, const std::string& label) {
  std::error_code error;
  fs::create_directories(parent, error);
  const std::string prefix = "grader-" + label + "-";
  remove_abandoned(parent, prefix);
  std::string pattern = (parent / fmt::format("{}{}-XXXXXX", prefix, getpid())).string();
  if (mkdtemp(pattern.data()) == nullptr) {
    throw Error(
        ErrorKind::environment,
        fmt::format("No folder for temporary files can be made in {}: {}.", parent.string(),
                    std::strerror(errno)),
        fmt::format("check the disk and the permissions (df -h '{0}', ls -ld '{0}')", parent.string()));
  }
  path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  remove_tree(path_);
}

}  // namespace grader
