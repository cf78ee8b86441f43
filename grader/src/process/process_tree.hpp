/// @file
/// What the kernel tells of a process tree and of a folder: the figures that limits are compared with.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace grader {

/// All processes below `root`, itself not among them. Those that end meanwhile may be missing or dead.
std::vector<pid_t> descendants(pid_t root);

struct TreeUse {
  int processes = 0;
  std::uint64_t resident = 0;  ///< bytes
  double cpu_s = 0;            ///< seconds that processors computed, for ended children too
};
TreeUse measure_tree(pid_t root);

/// What a tree holds in files that have no name any more, which no look into a folder finds: each counts once.
struct UnnamedFiles {
  std::uint64_t in_memory = 0;  ///< bytes, of memfd_create() and of file systems in memory
  std::uint64_t on_disk = 0;    ///< bytes
};
UnnamedFiles measure_unnamed_files(pid_t root);

/// How much of `elapsed` seconds a program was given that computed for `cpu` of them. A busy machine must not turn a right
/// program into a slow one: where other programs hold the processors, a program's own seconds count, but at least a quarter
/// of those that pass. A program that hardly computes waits for something else; then all seconds count.
double time_given(double elapsed, double cpu);

/// Number of threads that the calling user has on this machine: what RLIMIT_NPROC counts.
std::uint64_t threads_of_user();

/// Bytes on disk below a folder; counting stops above `enough`. Links are not followed. A folder that can't be looked into, or
/// lies more than 64 levels deep, counts as too much.
/// @param of_entry the least that a file, a folder or a link counts: without bytes they take room too, in tables that are small
std::uint64_t folder_size(const std::filesystem::path& folder, std::uint64_t enough,
                          std::uint64_t of_entry = 0);

}  // namespace grader
