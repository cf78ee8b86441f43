/// @file
/// The keeper: the process between the grader and a program that it runs. process.hpp explains its purpose.
///
/// The keeper is forked from a process that may have several threads, so its code neither allocates memory nor takes
/// a lock.
#pragma once
#include <linux/filter.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <cstdint>

namespace grader {

/// The keeper's arguments, prepared before the fork.
struct KeeperTask {
  const char* program = nullptr;  ///< full path
  char* const* argv = nullptr;
  char* const* envp = nullptr;
  const char* cwd = nullptr;                ///< nullptr: unchanged
  int input = -1, output = -1, error = -1;  ///< become the program's descriptors 0, 1, 2
  int report = -1;                          ///< KeeperReport objects are written here
  int channel = -1;                         ///< becomes the program's descriptor 4; -1: none
  int filter = -1;                          ///< becomes the program's descriptor 5; -1: none
  int status = -1;                          ///< becomes the program's descriptor 6; -1: none
  const sock_fprog* syscalls = nullptr;     ///< a filter for the program itself; nullptr: none
  uid_t user = 0;                           ///< user that the program runs as; 0: the grader's
  rlim_t file_size = RLIM_INFINITY;
  rlim_t user_processes = RLIM_INFINITY;
  rlim_t open_files = RLIM_INFINITY;
  /// the members file of the control group that the program joins; nullptr if there is none
  const char* group_members = nullptr;
  int priority = 0;  ///< of the program; the keeper's own may be higher
  pid_t grader = 0;
};

/// The keeper's message. After the message `ended`, the keeper kills the rest of the tree and exits, which closes the
/// pipe.
struct KeeperReport {
  enum class Kind : std::int32_t { ended, chdir_failed, exec_failed, fork_failed } kind;
  std::int32_t value;  ///< wait status, or errno
};

/// Runs the keeper in the forked child, where every signal must be blocked. SIGTERM makes the keeper end the tree.
[[noreturn]] void keeper_main(const KeeperTask& task);

}  // namespace grader
