// Programs that end without their exit handlers: by a signal (abort, assert, std::terminate, a bad access of host code) or by
// quick_exit(). The tools report before. A program that calls _exit() itself ends without a report.
#pragma once

namespace cuemu {

/// From now on tools are told of such an end. Called where a tool watches.
void watch_for_death();

/// The program is about to die of a signal: tells the tools, and returns when they have reported. Works in a signal handler
/// of any thread.
void tell_of_death(int signal);

}  // namespace cuemu
