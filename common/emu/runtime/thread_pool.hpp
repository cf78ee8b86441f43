// Operating-system threads that help a launch's leader, and functions that interrupt threads that do not return.
#pragma once

#include "launch_state.hpp"

namespace cuemu {

/// Makes every worker that runs blocks of a stopped launch abandon its CUDA thread.
void stop_others(const Launch& launch);

/// Returns the signal that stop_others() sends.
int stop_signal();

/// Sends preempt_signal to every worker that has run blocks since `since_ns` or longer.
void interrupt_long_turns(std::int64_t since_ns);

}  // namespace cuemu
