/// @file
/// Starts programs, and exchanges data with them through pipes. Ends them when emucc receives a signal.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace emucc {

struct Command {
  std::vector<std::string> argv;  ///< argv[0] is looked up in PATH when it has no slash
  std::string_view input;         ///< its standard input
  bool capture_output = false;    ///< otherwise it shares emucc's standard output
  bool large_pages = false;       ///< its malloc() asks the kernel for large pages (glibc 2.35): for a linker
};

struct CommandResult {
  bool started = false;
  std::string start_error;  ///< why it wasn't started
  int status = 0;           ///< exit status; 128 + signal if a signal ended it
  std::string output;       ///< standard output, where captured
  std::string messages;     ///< standard error
  bool killed = false;      ///< SIGKILL ended it, the linker, or a program that `reporting_kills` watches
  bool ok() const { return started && status == 0; }
};

/// Runs the command until it ends. Several threads may call this function.
CommandResult run(const Command& command);

/// Replaces this process by another program. Returns only on failure.
/// @return the reason for the failure
std::string become(const std::vector<std::string>& words);

/// Installs handlers for SIGINT, SIGTERM and SIGHUP. They end the running commands and set `interrupted()`;
/// then no further command is started.
void handle_signals();
bool interrupted();
/// Ends this process by the signal that it received.
[[noreturn]] void die_of_signal();

/// True if a command was killed.
bool any_was_killed();
/// Changes a g++ command so that a shell runs g++'s children (cc1plus, as) and reports when SIGKILL ended one
/// of them. g++ itself reports this only in a message, which a source could print as well.
std::vector<std::string> reporting_kills(std::vector<std::string> command);

/// Returns the path of a program in PATH; empty if there is none. A name with a slash is only checked.
std::string find_program(const std::string& name);

/// Returns the words, quoted for a shell.
std::string quote(const std::vector<std::string>& words);

}  // namespace emucc
