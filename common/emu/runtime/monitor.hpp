// Watches running launches: interrupts long-running threads, and ends launches at CUEMU_TIMEOUT.
#pragma once

#include "launch_state.hpp"

namespace cuemu {

/// Begins and ends watching a launch. Cheap: short launches end before the monitor looks.
void watch_launch(Launch& launch);
void unwatch_launch(Launch& launch);

}  // namespace cuemu
