/// @file
/// Which calls of the system a student's program and its compilation may not make, as a filter that the kernel applies.
#pragma once
#include <linux/filter.h>

#include <vector>

namespace grader {

enum class Syscalls {
  all,    ///< no filter
  usual,  ///< none that reaches into other processes, the kernel or the file systems: they fail with EPERM. Who sends SIGKILL,
          ///< or ends with the code that a shell has for it, dies of SIGSYS: then SIGKILL comes from outside
};

/// The filter as the kernel takes it; empty for Syscalls::all, and where none can be made.
const std::vector<sock_filter>& syscall_filter(Syscalls which);

}  // namespace grader
