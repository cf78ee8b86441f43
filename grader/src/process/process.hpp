/// @file
/// Starts a program and enforces limits on time, memory, output, files and processes. This code knows nothing about
/// labs.
///
/// Each program runs below a keeper, a small process that adopts every orphan of the program's process tree.
/// So a program that daemonises, changes its session or ignores signals stays in the tree: the limits apply
/// to it, and it ends when the tree ends. The keeper also ends the tree when the grader itself is killed.
#pragma once
#include <functional>
#include <map>
#include <vector>

#include "base/error.hpp"
#include "base/filesystem.hpp"
#include "process/keeper.hpp"
#include "process/syscalls.hpp"

namespace grader {

struct ProcessLimits {
  double wall_s = 60;              ///< limit on time_given(); after it, the whole tree is killed
  std::uint64_t memory = 0;        ///< bytes resident, over the process tree; 0: none
  std::uint64_t output = 1 << 20;  ///< bytes of standard output and of standard error kept, the
      ///< first and the last half; a program that writes ten times more is killed
  std::uint64_t channel = 256 << 20;  ///< bytes kept of the channel's content
  std::uint64_t file_size = 0;        ///< bytes of one file (RLIMIT_FSIZE); 0: none
  std::uint64_t folder_size = 0;      ///< bytes under `watched_folder`; 0: none
  fs::path watched_folder;
  int processes = 0;  ///< limit on processes in the tree; 0: no limit
};

struct ProcessRequest {
  std::vector<std::string> argv;                   ///< argv[0] is searched in PATH if it has no slash
  fs::path cwd;                                    ///< working directory; empty: the grader's own
  std::map<std::string, std::string> environment;  ///< variables added to the grader's own, or replacing them
  bool clean_environment = false;                  ///< keep only PATH, HOME, LANG and TMPDIR of the grader's
  /// whether argv is the command line of bwrap, which reads the filter from filter_descriptor and reports the
  /// program's end to status_descriptor; codes over 128 are signals
  bool in_sandbox = false;
  Syscalls syscalls = Syscalls::all;  ///< the filter of the program's system calls
  unsigned user = 0;                  ///< the user that it runs as; 0: the grader's. Only root can choose
  std::string hello;  ///< if not empty: the program has a channel at channel_descriptor, and reads this first
  ProcessLimits limits;
};

struct ProcessResult {
  enum class End {
    exited,
    signalled,
    time_out,
    memory_limit,
    output_limit,
    file_limit,  ///< a file or the watched folder exceeded its limit, or the folder hides its content
    process_limit,
    killed,  ///< by SIGKILL from outside: a user, or the system without memory. Known if syscalls are filtered
    interrupted,
    not_started
  } end = End::not_started;
  int code = 0;     ///< exit status, or signal number
  std::string out;  ///< standard output, at most limits.output bytes
  std::string err;
  std::string channel;  ///< bytes written into the channel, at most limits.channel
  double wall_s = 0;
  double cpu_s = 0;               ///< processor time of the tree, its keeper and its sandbox
  std::uint64_t peak_memory = 0;  ///< the most bytes resident in the tree in any sample
  std::string error;              ///< why it could not be started

  bool ok() const { return end == End::exited && code == 0; }
};

/// Runs a program to its end or until it exceeds a limit. When it returns, no process of the tree is left.
/// Standard input is empty. Ctrl-C (SIGINT or SIGTERM to the grader) ends the program and is reported as
/// `interrupted`. Several threads may call it at once.
ProcessResult run_process(const ProcessRequest& request);

/// Whether a program's standard error contains only its own words, or may quote what a student wrote.
enum class Messages { own, quoting };

/// Runs a program of the kit's own or of the system once more if it, or a program below it, was killed from outside
/// (SIGKILL). Such programs send no SIGKILL. Compilers and linkers report a killed program below them only in words,
/// which are read if `messages` is `own`.
/// @return the last run's result. Its end is `killed` if that run was killed, too; `interrupted` if the user ended it
ProcessResult run_unless_killed(const std::function<ProcessResult()>& run, Messages messages = Messages::own);

/// Does the same as run_process() for a program of the kit's own or of the system, with run_unless_killed().
ProcessResult run_own_process(const ProcessRequest& request);

/// The end as a predicate for the subject "the program": "exited with code 3", "died of signal 11 (segmentation
/// fault)".
std::string describe_end(const ProcessResult& result);

/// Whether the program printed that the disk, or its user's quota, is full.
bool says_disk_is_full(const ProcessResult& result);

/// The full path of a program in PATH. Empty if there is none.
fs::path find_program(const std::string& name);
/// The full path of this program. Empty if the system does not know it.
fs::path own_program();

/// Whether SIGINT or SIGTERM has arrived; cli installs the handler. Long loops call this function.
bool interrupted();
void install_interrupt_handler();

}  // namespace grader
