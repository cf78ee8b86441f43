// Programs that end without their exit handlers: by a signal (abort, assert, std::terminate, a bad access of host code) or by
// quick_exit(). The tools report before. A program that calls _exit() itself ends without a report.
#pragma once

namespace cuemu {

/// Lets the tools report before such an end. A tool must watch the program.
void watch_for_death();

/// Lets the tools report, and returns when they have: a signal ends the program next. Works in a signal handler of any
/// thread.
void tell_of_death(int signal);

}  // namespace cuemu
