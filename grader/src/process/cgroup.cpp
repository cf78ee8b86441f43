#include "process/cgroup.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <fstream>
#include <string>

#include "base/filesystem.hpp"
#include "base/scratch.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

const fs::path all_groups = "/sys/fs/cgroup";
constexpr const char* groups = "grader-";

/// The grader's own group, below which it may make others:
/// of version 2, else of version 1's controller `pids`.
fs::path own_group() {
  std::error_code ignored;
  const bool unified = fs::exists(all_groups / "cgroup.controllers", ignored);
  const std::string wanted = unified ? "0::/" : ":pids:/";
  std::ifstream in("/proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const std::size_t at = line.find(wanted);
    if (at == std::string::npos || (unified && at != 0)) continue;
    return (unified ? all_groups : all_groups / "pids") / line.substr(at + wanted.size());
  }
  return {};
}

/// What killed graders left: groups of processes that are gone. One that still has members refuses.
void remove_abandoned_groups(const fs::path& parent) {
  std::error_code failed;
  for (fs::directory_iterator at(parent, failed), end; !failed && at != end; at.increment(failed)) {
    if (is_abandoned(at->path().filename().string(), groups)) rmdir(at->path().c_str());
  }
}

bool set(const fs::path& file, std::uint64_t value) {
  std::ofstream out(file);
  return static_cast<bool>(out << value << std::flush);
}

}  // namespace

std::unique_ptr<ControlGroup> ControlGroup::make(std::uint64_t tasks, std::uint64_t memory) {
  static const fs::path parent = [] {
    const fs::path group = own_group();
    if (!group.empty()) remove_abandoned_groups(group);
    return group;
  }();
  static std::atomic<bool> possible{!parent.empty()};  // what failed once is not tried for every run
  static std::atomic<unsigned> count{0};
  if (!possible) return nullptr;
  const fs::path folder = parent / (owned_name(groups) + std::to_string(count++));
  if (mkdir(folder.c_str(), 0755) != 0) {
    possible = false;
    return nullptr;
  }
  std::unique_ptr<ControlGroup> group(new ControlGroup(folder));
  std::error_code ignored;
  if (!fs::exists(folder / "pids.max", ignored) || !set(folder / "pids.max", tasks)) {
    possible = false;
    return nullptr;
  }
  // Where the parent hands the memory controller on; the watcher sees the rest.
  if (memory > 0 && fs::exists(folder / "memory.max", ignored)) set(folder / "memory.max", memory);
  return group;
}

ControlGroup::ControlGroup(fs::path folder)
    : folder_(std::move(folder)), members_(folder_ / "cgroup.procs") {}

ControlGroup::~ControlGroup() {
  // The last members may still be leaving.
  for (int tries = 0; tries < 100 && rmdir(folder_.c_str()) != 0 && errno == EBUSY; ++tries) usleep(1000);
}

bool ControlGroup::was_out_of_memory() const {
  std::ifstream in(folder_ / "memory.events");
  std::string name;
  for (std::uint64_t value; in >> name >> value;)
    if (name == "oom_kill") return value > 0;
  return false;
}

}  // namespace grader
