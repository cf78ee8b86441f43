// What the emulation says when a kernel or the program must be stopped: a few lines on standard error.
#pragma once

#include <string>

#include "launch_state.hpp"
#include "services.hpp"

namespace cuemu {

/// Says why `launch` was stopped; with the block and the thread, where one is to blame, and further lines.
/// @param cause what cuemu::stopped_kernel() shall say of it; empty: `why`, and of a launch that took too long
///              the further lines
void report_launch(const Launch& launch, const std::string& why, const Block* block = nullptr,
                   const std::string& more = "", const Fiber* fiber = nullptr, const std::string& cause = "");

/// Lines that say how many threads of the block wait, where, and for what; all but `except`.
std::string describe_waiting(const Block& block, const Fiber* except = nullptr);

/// A line on the grids that wait for the launch's end, if there are any: it may wait for them in vain.
std::string describe_children(const Launch& launch);

/// "(1, 0, 0)"
std::string triple(unsigned x, unsigned y, unsigned z);

}  // namespace cuemu
