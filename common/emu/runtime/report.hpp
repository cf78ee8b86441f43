// Reports of a stopped kernel or program: a few lines on standard error.
#pragma once

#include <string>

#include "launch_state.hpp"
#include "services.hpp"

namespace cuemu {

/// Reports why `launch` was stopped, with the block and the thread at fault, if any, and further lines.
/// @param cause text for cuemu::stopped_kernel(); empty: `why`, and for a timeout the further lines
void report_launch(const Launch& launch, const std::string& why, const Block* block = nullptr,
                   const std::string& more = "", const Fiber* fiber = nullptr, const std::string& cause = "");

/// Lines on the block's waiting threads except `except`: how many, where, and for what.
std::string describe_waiting(const Block& block, const Fiber* except = nullptr);

/// A line on the child grids that wait for the launch's end, if any: the launch may wait for them in vain.
std::string describe_children(const Launch& launch);

/// "(1, 0, 0)"
std::string triple(unsigned x, unsigned y, unsigned z);

}  // namespace cuemu
