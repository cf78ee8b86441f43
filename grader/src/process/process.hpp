/// @file
/// Starts a program and watches it:
/// limits on time, memory, output, files and processes. Knows nothing of labs.
///
/// Each program runs below a keeper, a small process of its own that adopts every orphan of the program's
/// tree. So a program that daemonises, changes its session or ignores signals is still in the tree, is
/// counted, and ends with it; the keeper also ends the tree when the grader itself is killed.
#pragma once
#include <functional>
#include <map>
#include <vector>

#include "base/error.hpp"
#include "base/filesystem.hpp"
#include "process/syscalls.hpp"

namespace grader {

/// Where a program finds its end of the channel: a socket, so that nobody can open it again by a name, read what others
/// wrote into it, or take it back. What was written is read in time; its bytes are bounded.
constexpr int channel_descriptor = 4;
constexpr int filter_descriptor = 5;

/// Where bubblewrap says that the program was started, and how it ended (its --json-status-fd). It closes its descriptor before
/// it starts the program, so what a program prints is never taken for the sandbox's own failure.
constexpr int status_descriptor = 6;

struct ProcessLimits {
  double wall_s = 60;                 ///< of time_given(); then the whole tree is killed
  std::uint64_t memory = 0;           ///< bytes resident, over the process tree; 0: none
  std::uint64_t output = 1 << 20;     ///< bytes of standard output and of standard error kept;
                                      ///< a program that writes ten times more is killed
  std::uint64_t channel = 256 << 20;  ///< bytes kept of what it writes into its channel
  std::uint64_t file_size = 0;        ///< bytes of one file (RLIMIT_FSIZE); 0: none
  std::uint64_t folder_size = 0;      ///< bytes under `watched_folder`; 0: none
  fs::path watched_folder;
  int processes = 0;  ///< in the tree; 0: no limit
};

struct ProcessRequest {
  std::vector<std::string> argv;                   ///< argv[0] is looked up in PATH when it has no slash
  fs::path cwd;                                    ///< empty: the grader's own
  std::map<std::string, std::string> environment;  ///< added to, or replacing, the grader's own
  bool clean_environment = false;                  ///< start from PATH, HOME, LANG, TMPDIR only
  bool in_sandbox = false;                         ///< argv is bwrap's, which gets the filter as a file at
      ///< filter_descriptor and tells at status_descriptor how the
      ///< program ended: codes over 128 are signals
  Syscalls syscalls = Syscalls::all;  ///< that the program may call
  unsigned user = 0;                  ///< that it runs as; 0: the grader's own. Root alone can choose
  std::string
      hello;  ///< not empty: the program has a channel at channel_descriptor, from which it reads this first
  ProcessLimits limits;
};

struct ProcessResult {
  enum class End {
    exited,
    signalled,
    time_out,
    memory_limit,
    output_limit,
    file_limit,  ///< one file, or the watched folder, grew over its limit, or hides what it holds
    process_limit,
    killed,  ///< by SIGKILL from outside: a person, the system that ran out of memory. Known where syscalls are filtered
    interrupted,
    not_started
  } end = End::not_started;
  int code = 0;     ///< exit status, or signal number
  std::string out;  ///< standard output, at most limits.output bytes
  std::string err;
  std::string channel;  ///< what was written into it, at most limits.channel bytes
  double wall_s = 0;
  double cpu_s = 0;               ///< of all processors, over the tree, its keeper and its sandbox
  std::uint64_t peak_memory = 0;  ///< bytes resident over the tree, the largest that was sampled
  std::string error;              ///< why it was not started

  bool ok() const { return end == End::exited && code == 0; }
};

/// Runs to its end or to its first broken limit, then nothing of its process tree is left.
/// Standard input is empty. Ctrl-C (SIGINT, SIGTERM to the grader) ends the program and is reported as
/// `interrupted`. May be called from several threads at once.
ProcessResult run_process(const ProcessRequest& request);

/// The end in words that complete "the program …":
/// "exited with code 3", "died of signal 11 (segmentation fault)".
std::string describe_end(const ProcessResult& result);

/// What a program says when the disk, or its user's share of it, is full.
bool says_disk_is_full(const ProcessResult& result);

/// Full path of a program in PATH, or empty.
fs::path find_program(const std::string& name);

/// True once SIGINT or SIGTERM came; installed by cli. Long loops ask it.
bool interrupted();
void install_interrupt_handler();

}  // namespace grader
