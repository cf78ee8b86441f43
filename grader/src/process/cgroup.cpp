#include "process/cgroup.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
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

/// The control group in which the grader is, for one controller ("" in version 2).
fs::path group_of(const std::string& controller) {
  std::ifstream in("/proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos || line.substr(first + 1, second - first - 1) != controller) continue;
    return (controller.empty() ? all_groups : all_groups / controller) / line.substr(second + 2);
  }
  return {};
}

/// The group below which the grader may create groups: in version 2 its own group, in version 1 its group of
/// the controller `pids`.
fs::path own_group() {
  std::error_code ignored;
  return group_of(fs::exists(all_groups / "cgroup.controllers", ignored) ? "" : "pids");
}

std::uint64_t least_limit(const fs::path& group, const char* file, std::uint64_t least) {
  if (group.empty()) return least;
  for (fs::path at = group; at != at.root_path(); at = at.parent_path()) {
    std::uint64_t bytes = 0;
    if (std::ifstream(at / file) >> bytes) least = std::min(least, bytes);  // "max" is not a number
    if (at == all_groups) break;
  }
  return least;
}

/// Removes the groups that killed graders left. rmdir() fails for a group that still has members.
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

std::uint64_t memory_here() {
  const auto physical = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                        static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
  return least_limit(group_of("memory"), "memory.limit_in_bytes",
                     least_limit(group_of(""), "memory.max", physical));
}

std::unique_ptr<ControlGroup> ControlGroup::make(std::uint64_t tasks, std::uint64_t memory) {
  static const fs::path parent = [] {
    const fs::path group = own_group();
    if (!group.empty()) remove_abandoned_groups(group);
    return group;
  }();
  // Becomes false at the first failure, so that later runs don't try again.
  static std::atomic<bool> possible{!parent.empty()};
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
  // memory.max exists if the parent delegates the memory controller. Otherwise the watcher enforces the limit.
  if (memory > 0 && fs::exists(folder / "memory.max", ignored)) set(folder / "memory.max", memory);
  return group;
}

ControlGroup::ControlGroup(fs::path folder)
    : folder_(std::move(folder)), members_(folder_ / "cgroup.procs") {}

ControlGroup::~ControlGroup() {
  // The last members may still be exiting.
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
