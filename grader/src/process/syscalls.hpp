/// @file
/// The system calls that a student's program and its compilation may not make, as a filter that the operating system
/// applies.
#pragma once
#include <linux/filter.h>

#include <vector>

namespace grader {

enum class Syscalls {
  all,  ///< no filter
  /// Refuses calls that reach into other processes, the operating system or file systems (EPERM). A process
  /// that sends SIGKILL, or exits with a shell's code for SIGKILL, dies of SIGSYS instead, so a SIGKILL
  /// always comes from outside.
  usual,
};

/// The filter in the operating system's format; empty for Syscalls::all, or if no filter can be made.
const std::vector<sock_filter>& syscall_filter(Syscalls which);

}  // namespace grader
