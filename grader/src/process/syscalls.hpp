/// @file
/// The system calls that a student's program and its compilation may not make, as a filter that the kernel applies.
#pragma once
#include <linux/filter.h>

#include <vector>

namespace grader {

enum class Syscalls {
  all,  ///< no filter
  /// no call that reaches into other processes, the kernel or file systems (EPERM). A process that sends SIGKILL, or
  /// exits with a shell's code for it, dies of SIGSYS: so SIGKILL comes from outside
  usual,
};

/// The filter in the kernel's format; empty for Syscalls::all, and where none can be made.
const std::vector<sock_filter>& syscall_filter(Syscalls which);

}  // namespace grader
