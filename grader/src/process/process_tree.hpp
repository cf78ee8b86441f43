/// @file
/// The kernel's figures for a process tree and for a folder, which limits are compared with.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace grader {

/// All processes below `root`, without `root`. Processes that end meanwhile may be missing or dead.
std::vector<pid_t> descendants(pid_t root);

struct TreeUse {
  int processes = 0;
  std::uint64_t resident = 0;  ///< bytes, with the tables of pages
  double cpu_s = 0;            ///< seconds that processors computed, for ended children too
};
TreeUse measure_tree(pid_t root);

/// Bytes that a tree holds in unnamed files, which a walk of a folder does not find; each file counts once.
struct UnnamedFiles {
  std::uint64_t in_memory = 0;  ///< bytes, of memfd_create() and of file systems in memory
  std::uint64_t on_disk = 0;    ///< bytes
};
UnnamedFiles measure_unnamed_files(pid_t root);

/// Seconds of `elapsed` that a program was given, if it computed for `cpu` seconds. A busy machine must not time out
/// a correct program: where other programs occupy the processors, the program's own seconds count, but at least a
/// quarter of the elapsed ones. A program that hardly computes waits for something else; then all elapsed seconds
/// count.
double time_given(double elapsed, double cpu);

/// Number of threads of the calling user on this machine, as RLIMIT_NPROC counts them.
std::uint64_t threads_of_user();

/// Bytes on disk below a folder; counting stops above `enough`. Links are not followed. A folder that can't be read,
/// or is nested more than 64 levels deep, counts as too much.
/// @param of_entry least bytes that a file, a folder or a link counts: empty ones also fill the small tables of a
///         file system
std::uint64_t folder_size(const std::filesystem::path& folder, std::uint64_t enough,
                          std::uint64_t of_entry = 0);

}  // namespace grader
