// Reports on a stopped kernel or program: a record for a grader (common/wire), or else a few lines on standard error.
#pragma once

#include <string>

#include "launch_state.hpp"
#include "services.hpp"
#include "wire/stop.hpp"

namespace cuemu {

/// The block and the thread at which a launch was stopped, as far as they are known.
struct StoppedAt {
  const Block* block = nullptr;
  const Fiber* fiber = nullptr;
};

/// Reports why `launch` was stopped.
/// @param stop the reason, `why` and places; this function adds the kernel, the launch, the block and the thread
/// @param said the sentence on standard error, if it differs from `why`
/// @param hints further lines on standard error
void report_stop(const Launch& launch, kit_wire::Stop stop, StoppedAt at = {}, const std::string& said = "",
                 const std::string& hints = "");

/// Returns the stop of a kernel that ran longer than $CUEMU_TIMEOUT.
kit_wire::Stop time_limit_stop();

/// Returns the number of the block's waiting threads except `except`, where they wait, and for what.
kit_wire::BlockState waiting_in(const Block& block, const Fiber* except = nullptr);

/// Returns a line about child grids that have not begun because their launch has not ended; the launch may wait for
/// them forever. Empty if there are none.
std::string about_children(std::size_t waiting);

/// Converts a text of code_lines() to a place; an empty text gives an unknown place.
kit_wire::Place place_of_line(const std::string& line);

/// "(1, 0, 0)"
std::string triple(unsigned x, unsigned y, unsigned z);

}  // namespace cuemu
