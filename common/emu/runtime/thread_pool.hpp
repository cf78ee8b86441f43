// The operating-system threads that help the leader of a launch, and how to stop one that does not come back.
#pragma once

#include "launch_state.hpp"

namespace cuemu {

/// Tells every worker that runs blocks of a stopped launch to leave its CUDA thread, wherever that is.
void stop_others(const Launch& launch);

/// The signal that tells them.
int stop_signal();

/// Sends preempt_signal to every worker that has run blocks since `since_ns` or longer.
void interrupt_long_turns(std::int64_t since_ns);

}  // namespace cuemu
