/// @file
/// Reads the operating system's counts for a process tree and for a folder. The grader compares them with
/// limits.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace grader {

/// All processes below `root`, without `root` itself. A process that ends during the call may be missing, or
/// be listed although it is dead.
std::vector<pid_t> descendants(pid_t root);

struct TreeUse {
  int processes = 0;
  std::uint64_t resident = 0;  ///< bytes, with the tables of pages
  double cpu_s = 0;            ///< seconds of processor time, also of children that have ended
};
TreeUse measure_tree(pid_t root);

/// The bytes of a tree's unnamed files, which are in no folder. Each file counts once.
struct UnnamedFiles {
  std::uint64_t in_memory = 0;  ///< bytes in files of memfd_create() and of file systems in memory
  std::uint64_t on_disk = 0;    ///< bytes
};
UnnamedFiles measure_unnamed_files(pid_t root);

/// The part of `elapsed` seconds that counts for a program's time limit, if the program computed for `cpu`
/// seconds. A busy machine must not time out a right program. So if other programs use the processors, only
/// the program's own processor time counts, but at least a quarter of the elapsed time. If the program hardly
/// computes, it waits, and all elapsed seconds count.
double time_given(double elapsed, double cpu);

/// The number of threads of the calling user on this machine, as RLIMIT_NPROC counts them.
std::uint64_t threads_of_user();

/// The bytes on disk below a folder. Counting stops above `enough`. Links are not followed. A folder counts
/// as too large if it can't be read, or is nested more than 64 levels deep.
/// @param of_entry the bytes that each file, folder or link counts at least, since empty files, too, fill the
///   tables of a file system
std::uint64_t folder_size(const std::filesystem::path& folder, std::uint64_t enough,
                          std::uint64_t of_entry = 0);

}  // namespace grader
