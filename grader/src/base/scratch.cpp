// Names have the form grader-LABEL-PID.START-HOST-XXXXXX. They contain the start time, because a busy machine
// reuses process numbers within minutes.
#include "base/scratch.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/removal.hpp"

namespace grader {
namespace {

/// The start time of a process in clock ticks since boot (proc(5), field 22 of stat). 0 if the process does
/// not exist, or belongs to another user and is hidden (proc's hidepid).
unsigned long long start_of(pid_t process) {
  std::ifstream in(fmt::format("/proc/{}/stat", process));
  std::string text;
  std::getline(in, text);
  // Field 2 is the command's name in parentheses, which may contain any character.
  std::istringstream fields(text.substr(std::min(text.rfind(')'), text.size())));
  std::string skipped;
  for (int field = 2; field < 22; ++field) fields >> skipped;
  unsigned long long start = 0;
  fields >> start;
  return start;
}

struct Owner {
  pid_t process = 0;  ///< 0: not a process of this machine
  unsigned long long start = 0;
};

Owner owner_of(const std::string& name, const std::string& prefix) {
  if (!name.starts_with(prefix)) return {};
  Owner owner;
  const char* const end = name.data() + name.size();
  const auto number = std::from_chars(name.data() + prefix.size(), end, owner.process);
  if (number.ec != std::errc() || number.ptr == end || *number.ptr != '.') return {};
  const auto start = std::from_chars(number.ptr + 1, end, owner.start);
  const bool whole =
      start.ec == std::errc() && std::string(start.ptr, end).starts_with("-" + host_name() + "-");
  return whole ? owner : Owner{};
}

}  // namespace

std::string host_name() {
  char name[65] = "";
  gethostname(name, sizeof name - 1);
  std::string out = name;
  for (char& c : out)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '.';
  return out.empty() ? "host" : out;
}

std::string owned_name(const std::string& prefix) {
  return fmt::format("{}{}.{}-{}-", prefix, getpid(), start_of(getpid()), host_name());
}

bool is_abandoned(const std::string& name, const std::string& prefix) {
  const Owner owner = owner_of(name, prefix);
  if (owner.process == 0) return false;
  if (const auto start = start_of(owner.process); start != 0) return start != owner.start;
  return kill(owner.process, 0) != 0 && errno == ESRCH;  // EPERM: it exists, but is not visible
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
    const std::string why = error ? error.message() : std::strerror(errno);
    std::error_code ignored;
    fs::path there = parent;  // the nearest ancestor that exists
    while (!fs::exists(there, ignored) && there.has_relative_path()) there = there.parent_path();
    throw Error(
        ErrorKind::environment,
        fmt::format("No folder for temporary files can be made in {}: {}.", parent.string(), why),
        fmt::format("check the disk and the permissions (df -h '{0}', ls -ld '{0}')", there.string()));
  }
  path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  remove_tree(path_);
}

}  // namespace grader
