// Watches running launches: interrupts long-running threads, and ends launches at CUEMU_TIMEOUT.
#pragma once

#include "launch_state.hpp"

namespace cuemu {

/// Begin and end watching a launch. These calls are cheap, since short launches end before the monitor's first tick.
void watch_launch(Launch& launch);
void unwatch_launch(Launch& launch);

}  // namespace cuemu
