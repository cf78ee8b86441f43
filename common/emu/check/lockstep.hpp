// Merges the accesses of a warp's lanes into steps, and keeps each lane's order. All lanes that make the same
// access at the same place in the code make it in one step, and the other lanes wait. Hardware does the same
// if lanes reconverge where their paths meet.
#pragma once

#include <cstdint>
#include <vector>

namespace cuemu::check {

/// The lanes of one step.
struct LockStep {
  std::uint32_t lanes = 0;               ///< a bit for each lane
  std::vector<std::uint32_t> positions;  ///< in the sequences of these lanes, in the order of lanes
};

/// Merges the sequences of a warp's lanes into steps. If lanes are at different places, the next step is at
/// the place that the fewest other lanes have yet to reach; of several such places, the one with the lowest
/// number. Paths between accesses are unknown. So lanes whose loops have different numbers of iterations may
/// reconverge at other places than on a GPU.
/// @param lanes for each lane of a warp (at most 32), its accesses as numbers of places in the code
std::vector<LockStep> in_lockstep(const std::vector<std::vector<std::uint32_t>>& lanes);

}  // namespace cuemu::check
