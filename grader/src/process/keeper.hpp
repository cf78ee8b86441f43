/// @file
/// The keeper is the process between the grader and a program that it runs. process.hpp explains its purpose.
///
/// It is a separate program, grader-keeper. A fork of the grader would share the grader's memory while the
/// program runs. The kernel would then have to copy each page that the grader changes.
///
/// The grader starts `grader-keeper NUMBERS FOLDER GROUP PROGRAM ARG…` with the program's environment.
/// NUMBERS, FOLDER and GROUP are the KeeperTask. Descriptors keep their numbers until the keeper arranges
/// them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace grader {

/// The descriptor to which the keeper writes its reports. The program does not have it.
constexpr int report_descriptor = 3;
/// The program's end of the channel. It is a socket, so no process can open it again by name, read the bytes
/// of other writers, or take bytes back. The grader reads it during the run, and accepts a limited number of
/// bytes.
constexpr int channel_descriptor = 4;
constexpr int filter_descriptor = 5;
/// The descriptor to which bubblewrap reports the program's start and end (--json-status-fd). It is closed
/// before the program starts, so no output of the program is taken for a failure of the sandbox.
constexpr int status_descriptor = 6;

/// The keeper's task for one program.
struct KeeperTask {
  std::int64_t input = -1, output = -1, error = -1;  ///< become the program's descriptors 0, 1, 2
  std::int64_t report = -1;                          ///< KeeperReport objects are written here
  std::int64_t channel = -1;                         ///< becomes channel_descriptor; -1: none
  std::int64_t filter = -1;                          ///< a file of sock_filter objects; -1: none
  std::int64_t status = -1;                          ///< becomes status_descriptor; -1: none
  std::int64_t installs_filter = 0;  ///< 1: the keeper installs the filter; 0: it becomes filter_descriptor
  std::int64_t user = 0;             ///< the user under which the program runs; 0: the grader's
  std::int64_t file_size = -1;       ///< limits of resources; -1: unchanged
  std::int64_t user_processes = -1;
  std::int64_t open_files = -1;
  std::int64_t priority = 0;  ///< the program's priority; the keeper's may be higher
  std::int64_t grader = 0;    ///< the grader's process
  std::string group_members;  ///< members file of the control group that the program joins; empty: none
  std::string cwd;            ///< empty: unchanged
};

inline constexpr int task_arguments = 3;
/// Writes the task as the keeper's first arguments.
std::vector<std::string> arguments_of(const KeeperTask& task);
/// Reads a task from the first task_arguments arguments. No value if they are not a task.
std::optional<KeeperTask> task_of(const char* const* arguments);

/// A message of the keeper. After the message `ended`, the keeper kills the remaining processes of the
/// program, and exits, which closes the pipe.
struct KeeperReport {
  enum class Kind : std::int32_t { ended, chdir_failed, exec_failed, fork_failed } kind;
  std::int32_t value;  ///< wait status, or errno
};

/// The keeper's main(). Every signal must be blocked. At SIGTERM, it kills the program and all its processes.
/// @param argv  the program's path, followed by its arguments, from argv[0] on
[[noreturn]] void keep(const KeeperTask& task, char* const* argv);

}  // namespace grader
