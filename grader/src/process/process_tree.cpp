#include "process/process_tree.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <system_error>

#include "base/filesystem.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

/// The whole content of a small file in /proc. Empty if the process no longer exists.
std::string read_proc(const std::string& path) {
  std::string text;
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return text;
  char buffer[4096];
  for (ssize_t got; (got = read(fd, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  close(fd);
  return text;
}

/// Calls `use` with each entry of a folder whose name is a number.
template <typename Use>
bool for_each_number(const std::string& folder, Use use) {
  DIR* dir = opendir(folder.c_str());
  if (!dir) return false;
  while (const dirent* entry = readdir(dir)) {
    pid_t pid = 0;
    const char* end = entry->d_name + std::strlen(entry->d_name);
    if (std::from_chars(entry->d_name, end, pid).ptr == end) use(pid);
  }
  closedir(dir);
  return true;
}

void append_numbers(const std::string& text, std::vector<pid_t>& numbers) {
  const char* at = text.data();
  const char* end = at + text.size();
  while (at < end) {
    pid_t pid = 0;
    const auto [next, error] = std::from_chars(at, end, pid);
    if (error == std::errc()) numbers.push_back(pid);
    at = next + 1;
  }
}

/// Field `number` (3 or higher) of /proc/PID/stat. Fields are counted after field 2, the name, which may
/// contain blanks and brackets.
std::string stat_field(const std::string& stat, int number) {
  std::size_t at = stat.rfind(')');
  if (at == std::string::npos) return {};
  at += 2;
  for (int field = 3; field < number && at != std::string::npos; ++field) {
    at = stat.find(' ', at);
    if (at != std::string::npos) ++at;
  }
  return at < stat.size() ? stat.substr(at, stat.find(' ', at) - at) : std::string();
}

/// Finds descendants by reading the parent of every process of the machine, for systems without the `children` files.
std::vector<pid_t> descendants_by_scan(pid_t root) {
  std::multimap<pid_t, pid_t> children;
  for_each_number("/proc", [&](pid_t pid) {
    const std::string parent = stat_field(read_proc("/proc/" + std::to_string(pid) + "/stat"), 4);
    if (!parent.empty()) children.emplace(std::atoi(parent.c_str()), pid);
  });
  std::vector<pid_t> found{root};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto [first, last] = children.equal_range(found[i]);
    for (auto child = first; child != last; ++child) found.push_back(child->second);
  }
  found.erase(found.begin());
  return found;
}

void append_children(pid_t pid, const std::string& stat, std::vector<pid_t>& found) {
  const std::string tasks = "/proc/" + std::to_string(pid) + "/task";
  const auto of_thread = [&](pid_t thread) {
    append_numbers(read_proc(tasks + "/" + std::to_string(thread) + "/children"), found);
  };
  // Most processes have one thread, which has the process's number.
  if (stat_field(stat, 20) == "1")
    of_thread(pid);
  else
    for_each_number(tasks, of_thread);
}

/// Calls use(pid, the content of /proc/PID/stat) for each process below root, parents first.
template <typename Use>
void for_each_descendant(pid_t root, Use use) {
  static const bool kernel_lists_children = access("/proc/thread-self/children", R_OK) == 0;
  const auto stat_of = [](pid_t pid) { return read_proc("/proc/" + std::to_string(pid) + "/stat"); };
  std::vector<pid_t> found{root};
  if (!kernel_lists_children) found = descendants_by_scan(root);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::string stat = stat_of(found[i]);
    if (kernel_lists_children) append_children(found[i], stat, found);
    if (!kernel_lists_children || i > 0) use(found[i], stat);
  }
}

/// Adds up the disk use of a folder. A folder that can't be read counts as too large, since its owner hides
/// its content.
struct FolderSum {
  static constexpr int deepest = 64;

  std::uint64_t enough, of_entry;
  std::uint64_t bytes = 0;

  void too_much() { bytes = enough + 1; }

  void add(int parent, const char* name, int depth) {
    const int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
      if (errno == EACCES && depth > 0) too_much();
      return;  // the entry vanished, or is a link, whose size was already added
    }
    DIR* const entries = fdopendir(fd);
    if (entries == nullptr) {
      close(fd);
      return;
    }
    while (const dirent* entry = bytes <= enough ? readdir(entries) : nullptr) {
      struct stat status {};
      const bool own = std::strcmp(entry->d_name, ".") == 0 || std::strcmp(entry->d_name, "..") == 0;
      // A file may vanish between readdir() and fstatat(). This is no error, and the file does not count.
      if (own) continue;
      if (fstatat(fd, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
        if (errno == EACCES) too_much();
        continue;
      }
      bytes += std::max(of_entry, static_cast<std::uint64_t>(status.st_blocks) * 512);
      if (!S_ISDIR(status.st_mode)) continue;
      if (depth + 1 >= deepest)
        too_much();
      else
        add(fd, entry->d_name, depth + 1);
    }
    closedir(entries);
  }
};

}  // namespace

std::vector<pid_t> descendants(pid_t root) {
  std::vector<pid_t> found;
  for_each_descendant(root, [&](pid_t pid, const std::string&) { found.push_back(pid); });
  return found;
}

TreeUse measure_tree(pid_t root) {
  static const auto ticks_per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  TreeUse use;
  for_each_descendant(root, [&](pid_t pid, const std::string& stat) {
    ++use.processes;
    const std::string status = read_proc("/proc/" + std::to_string(pid) + "/status");
    // Page tables can fill the memory, too, even if their pages were only read.
    for (const char* const line : {"\nVmRSS:", "\nVmPTE:"}) {
      const std::size_t at = status.find(line);
      if (at != std::string::npos) use.resident += std::strtoull(status.c_str() + at + 7, nullptr, 10) << 10;
    }
    for (const int field :
         {14, 15, 16, 17})  // user and system time of the process, and of its children that have ended
      use.cpu_s += std::atof(stat_field(stat, field).c_str()) / ticks_per_second;
  });
  return use;
}

namespace {

/// Files, identified by device and inode.
using FileIds = std::set<std::pair<std::uint64_t, std::uint64_t>>;

void add_open_files(const std::string& process, FileIds& seen, UnnamedFiles& sum) {
  constexpr int most = 4096;  // the most descriptors of a program (keeper.cpp)
  int count = 0;
  const std::string folder = process + "/fd";
  for_each_number(folder, [&](int number) {
    const std::string link = folder + "/" + std::to_string(number);
    struct stat file {};
    struct statfs system {};
    if (++count > most || stat(link.c_str(), &file) != 0 || !S_ISREG(file.st_mode) || file.st_nlink != 0)
      return;
    if (!seen.emplace(file.st_dev, file.st_ino).second) return;
    const bool in_memory = statfs(link.c_str(), &system) == 0 && system.f_type == TMPFS_MAGIC;
    (in_memory ? sum.in_memory : sum.on_disk) += static_cast<std::uint64_t>(file.st_blocks) * 512;
  });
}

/// Adds files that are mapped although no descriptor is open. Their length counts.
void add_mapped_files(const std::string& process, FileIds& seen, UnnamedFiles& sum) {
  std::istringstream maps(read_proc(process + "/maps"));
  for (std::string line; std::getline(maps, line);) {
    if (!line.ends_with(" (deleted)") || line.find(" /dev/zero (deleted)") != std::string::npos) continue;
    unsigned long long begin = 0, end = 0, inode = 0;
    unsigned major_number = 0, minor_number = 0;
    if (std::sscanf(line.c_str(), "%llx-%llx %*s %*s %x:%x %llu", &begin, &end, &major_number, &minor_number,
                    &inode) != 5)
      continue;
    // A file may be mapped in several pieces.
    if (seen.count({makedev(major_number, minor_number), inode}) != 0) continue;
    const bool in_memory = line.find(" /memfd:") != std::string::npos;
    (in_memory ? sum.in_memory : sum.on_disk) += end - begin;
  }
}

}  // namespace

UnnamedFiles measure_unnamed_files(pid_t root) {
  UnnamedFiles sum;
  FileIds seen;
  const std::vector<pid_t> all = descendants(root);
  for (const pid_t pid : all) add_open_files("/proc/" + std::to_string(pid), seen, sum);
  for (const pid_t pid : all) add_mapped_files("/proc/" + std::to_string(pid), seen, sum);
  return sum;
}

double time_given(double elapsed, double cpu) {
  constexpr double waits = 0.125, slowest = 0.25;  // shares of a processor
  return cpu < waits * elapsed ? elapsed : std::clamp(cpu, slowest * elapsed, elapsed);
}

std::uint64_t threads_of_user() {
  std::uint64_t threads = 0;
  const uid_t user = getuid();
  for_each_number("/proc", [&](pid_t pid) {
    const std::string folder = "/proc/" + std::to_string(pid);
    struct stat owner {};
    if (stat(folder.c_str(), &owner) != 0 || owner.st_uid != user) return;
    threads += std::strtoull(stat_field(read_proc(folder + "/stat"), 20).c_str(), nullptr, 10);
  });
  return threads;
}

std::uint64_t folder_size(const fs::path& folder, std::uint64_t enough, std::uint64_t of_entry) {
  FolderSum sum{enough, of_entry};
  sum.add(AT_FDCWD, folder.c_str(), 0);
  return sum.bytes;
}

}  // namespace grader
