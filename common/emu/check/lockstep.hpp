// The accesses of a warp's lanes, each lane's in its own order, put together into steps: in a step the lanes that do the
// same at the same place of the code do it at once, and the others wait, as on hardware that joins lanes again where
// their ways meet.
#pragma once

#include <cstdint>
#include <vector>

namespace cuemu::check {

/// What some lanes of a warp do at once.
struct LockStep {
  std::uint32_t lanes = 0;               ///< a bit for each
  std::vector<std::uint32_t> positions;  ///< in the sequences of those lanes, in the order of lanes
};

/// @param lanes for each lane of a warp what it does, as numbers of places in the code; 32 at most
/// Where lanes are at different places, those go first whose place the fewest others have still ahead of them; of
/// several such places the one with the lowest number. Paths are not known, only what was done on them: loops whose
/// numbers of iterations differ from lane to lane may be joined elsewhere than a GPU does.
std::vector<LockStep> in_lockstep(const std::vector<std::vector<std::uint32_t>>& lanes);

}  // namespace cuemu::check
