// Names are grader-LABEL-PID-HOST-XXXXXX.
#include "base/scratch.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "base/removal.hpp"

namespace grader {
namespace {

/// This machine's name, with nothing that ends it in the name of a file.
std::string host() {
  char name[65] = "";
  gethostname(name, sizeof name - 1);
  std::string out = name;
  for (char& c : out)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '.';
  return out.empty() ? "host" : out;
}

/// Number of the process in a name, if it is one of this machine's; else 0.
pid_t owner_of(const std::string& name, const std::string& prefix) {
  if (!name.starts_with(prefix)) return 0;
  pid_t owner = 0;
  const char* const end = name.data() + name.size();
  const auto [after, error] = std::from_chars(name.data() + prefix.size(), end, owner);
  return error == std::errc() && std::string(after, end).starts_with("-" + host() + "-") ? owner : 0;
}

}  // namespace

std::string owned_name(const std::string& prefix) {
  return fmt::format("{}{}-{}-", prefix, getpid(), host());
}

bool is_abandoned(const std::string& name, const std::string& prefix) {
  const pid_t owner = owner_of(name, prefix);
  // A process of another user gives EPERM: it lives, and what it owns is not ours anyway.
  return owner > 0 && kill(owner, 0) != 0 && errno == ESRCH;
}

void remove_abandoned(const fs::path& parent, const std::string& prefix) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, ignored))
    if (is_abandoned(entry.path().filename().string(), prefix)) remove_tree(entry.path());
}

ScratchFolder::ScratchFolder(const fs::path& parent, const std::string& label) {
  std::error_code error;
  fs::create_directories(parent, error);
  const std::string prefix = "grader-" + label + "-";
  remove_abandoned(parent, prefix);
  std::string pattern = (parent / (owned_name(prefix) + "XXXXXX")).string();
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
