// Merges the accesses of a warp's lanes, each lane's in its order, into steps. In a step, lanes that do the same at the
// same place in the code do it at once, and the others wait, as on hardware that joins lanes where their paths meet.
#pragma once

#include <cstdint>
#include <vector>

namespace cuemu::check {

/// The lanes of one step.
struct LockStep {
  std::uint32_t lanes = 0;               ///< a bit for each
  std::vector<std::uint32_t> positions;  ///< in the sequences of these lanes, in the order of lanes
};

/// Merges the sequences of a warp's lanes into steps. Among lanes at different places, the place comes first that the
/// fewest other lanes still have ahead; of several, the place with the lowest number. Only accesses are known, not
/// paths: loops with different numbers of iterations may be joined elsewhere than on a GPU.
/// @param lanes for each lane of a warp, at most 32, its accesses as numbers of places in the code
std::vector<LockStep> in_lockstep(const std::vector<std::vector<std::uint32_t>>& lanes);

}  // namespace cuemu::check
