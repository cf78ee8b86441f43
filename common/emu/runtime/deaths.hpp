// Handles programs that end without their exit handlers: by a signal (abort, assert, std::terminate, an invalid access
// of host code) or by quick_exit(). The tools report first. A program that calls _exit() ends without a report.
#pragma once

namespace cuemu {

/// Installs the handlers for such an end. @pre a tool watches the program
void watch_for_death();

/// Runs the tools' reports and returns; a signal then ends the program. Safe in a signal handler of any thread.
void run_death_reports(int signal);

}  // namespace cuemu
