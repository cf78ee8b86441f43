/// @file
/// Wraps a program in bubblewrap. The program has no network, and sees no other processes and only the files that it
/// needs. So it sees neither gold files nor solutions, records or other submissions.
#pragma once
#include "process/process.hpp"

namespace grader {

struct SandboxSpec {
  fs::path program_folder;          ///< seen read-only, at the same path
  std::vector<fs::path> read_only;  ///< input files or folders, at the same path; missing ones are left out
  std::vector<fs::path>
      writable;  ///< folders that are kept, at the same path: a compiler's cache. For the kit's own programs only.
  fs::path work_folder;  ///< seen writable, the working directory; /tmp, $HOME and /dev/shm are folders in it
  bool gpu = false;      ///< pass the device files of the GPU through
  bool of_the_kit = false;  ///< the kit's own program: it may run as the grader does
  Syscalls syscalls = Syscalls::usual;
};

/// The user and group as which students' programs run if the grader is root. The number is in Debian's range for such
/// uses, and is assigned to no account.
constexpr unsigned ordinary_user = 64999;

/// Whether bubblewrap works here (it is tried once), and if not, why.
struct SandboxStatus {
  bool works = false;
  /// whether the sandbox has its own /proc; otherwise it sees the machine's /proc, which some containers enforce
  bool own_proc = false;
  bool as_ordinary_user = false;  ///< nothing in it runs as root
  bool filters = false;           ///< whether it refuses system calls (syscalls.hpp)
  std::string version;
  std::string reason;  ///< the missing protection, if it does not work or works in part
  std::string mend;    ///< the remedy
};
const SandboxStatus& sandbox_status();

/// The request that runs `inner` inside the sandbox. If there is no sandbox, the request runs `inner` itself in the
/// work folder, still with the filter, and as an ordinary user if that user can reach all files. The environment
/// inside contains PATH, LANG, HOME, TMPDIR and the variables that `inner` sets.
/// @throws Error (environment) when the work folder can't be written
ProcessRequest sandboxed(const ProcessRequest& inner, const SandboxSpec& spec);

/// Runs `inner` in the sandbox as run_process() does. `not_started` comes from the sandbox itself, never from the
/// program's output.
ProcessResult run_sandboxed(const ProcessRequest& inner, const SandboxSpec& spec);

}  // namespace grader
