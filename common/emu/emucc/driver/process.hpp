/// @file
/// Starts programs, feeds and reads their pipes, and ends them when emucc itself is told to end.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace emucc {

struct Command {
  std::vector<std::string> argv;  ///< argv[0] is looked up in PATH when it has no slash
  std::string_view input;         ///< its standard input
  bool capture_output = false;    ///< else its standard output is ours
};

struct CommandResult {
  bool started = false;
  std::string start_error;  ///< why it did not start
  int status = 0;           ///< exit status; 128 + signal when a signal ended it
  std::string output;       ///< standard output, where captured
  std::string messages;     ///< standard error
  bool ok() const { return started && status == 0; }
};

/// Runs to the end. Safe to call from several threads.
CommandResult run(const Command& command);

/// Becomes another program, whose exit status is then this process's. Comes back only where that can't be.
/// @return why not
std::string become(const std::vector<std::string>& words);

/// After this SIGINT, SIGTERM and SIGHUP end the running commands
/// and let `interrupted()` be true; nothing new is started.
void handle_signals();
bool interrupted();
/// Ends this process as the signal that came would have.
[[noreturn]] void die_of_signal();

/// Path of a program in PATH, or empty. A name with a slash is checked as it is.
std::string find_program(const std::string& name);

/// The words as a shell would need them typed.
std::string quote(const std::vector<std::string>& words);

}  // namespace emucc
