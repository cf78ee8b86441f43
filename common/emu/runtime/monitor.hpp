// Watches launches that run: interrupts threads that run for long, and ends launches at CUEMU_TIMEOUT.
#pragma once

#include "launch_state.hpp"

namespace cuemu {

/// Begins and ends watching a launch; cheap, since short launches end before anyone looks.
void watch_launch(Launch& launch);
void unwatch_launch(Launch& launch);

}  // namespace cuemu
