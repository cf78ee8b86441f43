/// @file
/// Wraps a program in bubblewrap: no network, no other processes, and of the file system only what it needs;
/// so no sight of gold, solutions, records or other submissions.
#pragma once
#include "process/process.hpp"

namespace grader {

struct SandboxSpec {
  fs::path program_folder;  ///< seen read-only, at the same path
  std::vector<fs::path>
      read_only;  ///< input files or folders, at the same path; those that don't exist are left out
  std::vector<fs::path>
      writable;  ///< folders that stay, at the same path: a compiler's cache. For the kit's own programs alone.
  fs::path work_folder;  ///< seen writable, the working directory; /tmp, $HOME and /dev/shm are folders in it
  bool gpu = false;      ///< pass the device files of the GPU through
  bool of_the_kit = false;  ///< the kit's own program: it may run as the grader does
  Syscalls syscalls = Syscalls::usual;
};

/// The user and the group that students' programs run as where the grader is root: of Debian's range for such uses, and
/// nobody's.
constexpr unsigned ordinary_user = 64999;

/// Whether bubblewrap works here (tried once), and why not.
struct SandboxStatus {
  bool works = false;
  bool own_proc = false;          ///< the sandbox has a /proc of its own; else it sees the machine's,
                                  ///< which some containers enforce
  bool as_ordinary_user = false;  ///< nothing in it runs as root
  bool filters = false;           ///< it refuses system calls (syscalls.hpp)
  std::string version;
  std::string reason;  ///< what is unprotected, when it does not work or not wholly
  std::string mend;    ///< how to mend it
};
const SandboxStatus& sandbox_status();

/// The request that runs `inner` inside the sandbox; `inner` itself, in the work folder, when there is none: then still with
/// the filter, and as an ordinary user where that one can reach all files.
/// The environment inside is what `inner` sets, PATH, LANG, HOME and TMPDIR.
/// @throws Error (environment) when the work folder can't be written
ProcessRequest sandboxed(const ProcessRequest& inner, const SandboxSpec& spec);

/// Runs it there, as run_process(). `not_started` is what the sandbox itself says, never what the program prints.
ProcessResult run_sandboxed(const ProcessRequest& inner, const SandboxSpec& spec);

}  // namespace grader
