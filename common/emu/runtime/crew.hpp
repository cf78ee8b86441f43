// The operating-system threads that help the leader of a launch, and how to stop one that does not come back.
#pragma once

#include "launch_state.hpp"

namespace cuemu {

/// Tells every worker that runs blocks of a stopped launch to leave its CUDA thread, wherever that is.
void stop_others(const Launch& launch);

/// The signal that tells them.
int stop_signal();

/// Begins and ends watching a launch for CUEMU_TIMEOUT. Nothing happens where the variable is not set.
void watch_launch(Launch& launch);
void unwatch_launch(Launch& launch);

}  // namespace cuemu
