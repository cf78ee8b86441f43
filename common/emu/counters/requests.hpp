// One request of a warp: the memory cost of a load or store by its lanes.
//
// Shared memory has banks of 4 bytes. Lanes that access different words of one bank take turns; each turn of the
// request is a *wavefront*. Lanes that access the same word share it. Current devices serve 32 lanes at a time for
// accesses of up to 4 bytes, half a warp for accesses of 8 bytes, and a quarter of a warp for accesses of 16 bytes.
// Devices of compute capability 1 have 16 banks and always serve half a warp.
//
// Global memory is transferred in *sectors* of 32 bytes: a request costs one transfer for each sector that its lanes
// touch. The L1 cache has lines of 128 bytes, and takes a turn for each line that a group of lanes touches. A group is
// the whole warp, half a warp for accesses of 8 bytes, or a quarter of a warp for accesses of 16 bytes.
#pragma once

#include <array>
#include <cstdint>

namespace cuemu::counters {

constexpr unsigned lanes_of_warp = 32;
constexpr std::uint64_t sector_bytes = 32;

/// The lanes of a warp that make one access together.
struct Request {
  std::uint32_t lanes = 0;  ///< a bit for each lane that takes part
  unsigned bytes = 0;       ///< bytes of one lane's access: 1, 2, 4, 8 or 16
  std::array<std::uint64_t, lanes_of_warp> address{};
};

/// How a device's shared memory serves a warp.
struct Banks {
  unsigned count = 32;
  unsigned lanes_at_once = 32;  ///< for accesses of 4 bytes or fewer
};
/// @param major the major compute capability
Banks banks_of(int major);

struct SharedCost {
  unsigned wavefronts = 0;  ///< turns
  unsigned conflicts = 0;   ///< wavefronts that a layout without bank conflicts would save
};
SharedCost shared_cost(const Request& request, const Banks& banks);

struct GlobalCost {
  unsigned sectors = 0;
  unsigned turns = 0;  ///< turns of the L1 cache
  unsigned bytes = 0;  ///< requested bytes, each element counted once
};
GlobalCost global_cost(const Request& request);

/// Returns the turns beyond the first that lanes with the same address need, as in atomic operations.
unsigned contended_turns(const Request& request);
/// Returns the turns beyond the first that lanes with different addresses need, as in constant memory.
unsigned distinct_turns(const Request& request);

}  // namespace cuemu::counters
