/// @file
/// Starts programs, feeds and reads their pipes, and ends them when emucc receives a signal.
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
  bool killed = false;      ///< SIGKILL ended it, the linker, or a program that `telling_killed` watches
  bool ok() const { return started && status == 0; }
};

/// Runs to the end. May be called from several threads.
CommandResult run(const Command& command);

/// Replaces this process by another program. Returns only on failure.
/// @return the reason
std::string become(const std::vector<std::string>& words);

/// After this call SIGINT, SIGTERM and SIGHUP end the running commands and set `interrupted()`; no command is started
/// after that.
void handle_signals();
bool interrupted();
/// Ends this process by the signal that was received.
[[noreturn]] void die_of_signal();

/// True once a command was killed.
bool any_was_killed();
/// For g++: the command with its children (cc1plus, as) below a shell, which says that SIGKILL ended one. g++ itself says it
/// only in a message, which a source can print as well.
std::vector<std::string> telling_killed(std::vector<std::string> command);

/// Path of a program in PATH, or empty. A name with a slash is checked as it is.
std::string find_program(const std::string& name);

/// The words quoted for a shell.
std::string quote(const std::vector<std::string>& words);

}  // namespace emucc
