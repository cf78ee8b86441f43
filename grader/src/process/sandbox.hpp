/// @file
/// Runs a program in bubblewrap. The program has no network, sees no other processes, and sees only the files
/// that it needs. So it sees no gold files, solutions, records or other submissions.
#pragma once
#include "process/process.hpp"

namespace grader {

struct SandboxSpec {
  fs::path program_folder;          ///< visible read-only, at the same path
  std::vector<fs::path> read_only;  ///< input files or folders, at the same path; missing ones are left out
  std::vector<fs::path>
      writable;  ///< folders that are kept, at the same path: a compiler's cache; for the kit's programs
  fs::path work_folder;  ///< visible and writable, the working directory; contains /tmp, $HOME and /dev/shm
  bool gpu = false;      ///< whether the device files of the GPU are visible
  bool of_the_kit = false;  ///< whether it is the kit's own program, which may run as the grader's user
  Syscalls syscalls = Syscalls::usual;
};

/// The user and group under which students' programs run if the grader is root. The number is in the range
/// that Debian reserves for such uses, and no account has it.
constexpr unsigned ordinary_user = 64999;

/// Whether bubblewrap works on this machine. It is tried once.
struct SandboxStatus {
  bool works = false;
  /// whether the sandbox has its own /proc; otherwise it sees the machine's /proc, which some containers enforce
  bool own_proc = false;
  bool as_ordinary_user = false;  ///< whether nothing in it runs as root
  bool filters = false;           ///< whether it refuses system calls (syscalls.hpp)
  std::string version;
  std::string reason;  ///< the missing protection, if it does not work or works only in part
  std::string mend;    ///< the remedy
};
const SandboxStatus& sandbox_status();

/// The request that runs `inner` inside the sandbox. If there is no sandbox, the request runs `inner` itself
/// in the work folder, still with the filter. It runs as an ordinary user if that user can reach all files.
/// In both cases the environment contains PATH, LANG, HOME, TMPDIR and the variables that `inner` sets.
/// @throws Error (environment) when the work folder can't be written
ProcessRequest sandboxed(const ProcessRequest& inner, const SandboxSpec& spec);

/// Runs `inner` in the sandbox as run_process() does. `not_started` is decided by the sandbox, never by the
/// program's output.
ProcessResult run_sandboxed(const ProcessRequest& inner, const SandboxSpec& spec);

}  // namespace grader
