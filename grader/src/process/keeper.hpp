/// @file
/// The keeper: the process between the grader and a program that it runs. process.hpp explains its purpose.
///
/// It is a program of its own, grader-keeper. A fork of the grader would share the grader's memory for as long as the
/// program runs, and the kernel would copy each page that the grader writes meanwhile.
///
/// The grader starts `grader-keeper NUMBERS FOLDER GROUP PROGRAM ARG…` with the program's environment, where NUMBERS,
/// FOLDER and GROUP are the task. Descriptors keep their numbers until the keeper arranges them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace grader {

/// The keeper's descriptor for its reports; the program does not have it.
constexpr int report_descriptor = 3;
/// The program's end of the channel: a socket, so that no process can open it again by name, read other writers'
/// bytes, or take bytes back. The grader reads it in time; the number of bytes is bounded.
constexpr int channel_descriptor = 4;
constexpr int filter_descriptor = 5;
/// Descriptor at which bubblewrap reports the program's start and its end (--json-status-fd). It is closed before the
/// program starts, so the program's output is never taken for a failure of the sandbox.
constexpr int status_descriptor = 6;

/// What the keeper does for one program.
struct KeeperTask {
  std::int64_t input = -1, output = -1, error = -1;  ///< become the program's descriptors 0, 1, 2
  std::int64_t report = -1;                          ///< KeeperReport objects are written here
  std::int64_t channel = -1;                         ///< becomes channel_descriptor; -1: none
  std::int64_t filter = -1;                          ///< a file of sock_filter objects; -1: none
  std::int64_t status = -1;                          ///< becomes status_descriptor; -1: none
  std::int64_t installs_filter = 0;  ///< 1: the keeper installs the filter; 0: it becomes filter_descriptor
  std::int64_t user = 0;             ///< user that the program runs as; 0: the grader's
  std::int64_t file_size = -1;       ///< limits of resources; -1: unchanged
  std::int64_t user_processes = -1;
  std::int64_t open_files = -1;
  std::int64_t priority = 0;  ///< of the program; the keeper's own may be higher
  std::int64_t grader = 0;    ///< the grader's process
  std::string group_members;  ///< members file of the control group that the program joins; empty: none
  std::string cwd;            ///< empty: unchanged
};

inline constexpr int task_arguments = 3;
/// The task as the keeper's first arguments.
std::vector<std::string> arguments_of(const KeeperTask& task);
/// The reverse, from task_arguments arguments; none where they are no task.
std::optional<KeeperTask> task_of(const char* const* arguments);

/// The keeper's message. After the message `ended`, the keeper kills the rest of the tree and exits, which closes the
/// pipe.
struct KeeperReport {
  enum class Kind : std::int32_t { ended, chdir_failed, exec_failed, fork_failed } kind;
  std::int32_t value;  ///< wait status, or errno
};

/// The keeper's main(); every signal must be blocked. SIGTERM makes it end the tree.
/// @param argv  the program's path, then its arguments from argv[0] on
[[noreturn]] void keep(const KeeperTask& task, char* const* argv);

}  // namespace grader
