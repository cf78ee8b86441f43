// What is counted, by kernel, by launch and by line of the source.
#pragma once

#include <array>
#include <cstdint>

namespace cuemu::counters {

/// Of warps, where nothing else is said.
enum class Counter : unsigned {
  shared_loads,  ///< requests
  shared_load_wavefronts,
  shared_load_conflicts,  ///< wavefronts that a layout without bank conflicts would save
  shared_stores,
  shared_store_wavefronts,
  shared_store_conflicts,
  global_loads,  ///< requests
  global_load_sectors,
  global_load_bytes,  ///< that lanes asked for, the same element of a request counted once
  global_stores,
  global_store_sectors,
  global_store_bytes,
  atomics,       ///< requests, to global and shared memory
  atomic_turns,  ///< turns beyond the first, of lanes that meet at the same address
  constant_loads,
  constant_turns,     ///< turns beyond the first, of lanes that want different addresses
  uncoalesced_loads,  ///< global requests that touch more sectors than their bytes need
  uncoalesced_stores,
  divergent_branches,  ///< executions of a branch after which lanes go different ways
  steps,               ///< accesses and branches
  lanes,               ///< that took part in them
  warp_barriers,       ///< of each warp with threads that came
  barriers,            ///< of blocks: completed __syncthreads()
  blocks,
  warps,
};
inline constexpr unsigned counter_count = static_cast<unsigned>(Counter::warps) + 1;

/// As JSON has it: "shared_load_conflicts".
const char* name_of(Counter counter);

struct Tally {
  std::array<std::uint64_t, counter_count> values{};

  std::uint64_t& operator[](Counter counter) { return values[static_cast<unsigned>(counter)]; }
  std::uint64_t operator[](Counter counter) const { return values[static_cast<unsigned>(counter)]; }
  Tally& operator+=(const Tally& other) {
    for (unsigned i = 0; i < counter_count; ++i) values[i] += other.values[i];
    return *this;
  }
  bool empty() const { return *this == Tally{}; }
  bool operator==(const Tally& other) const { return values == other.values; }

  std::uint64_t conflicts() const {
    return (*this)[Counter::shared_load_conflicts] + (*this)[Counter::shared_store_conflicts];
  }
  std::uint64_t sectors() const {
    return (*this)[Counter::global_load_sectors] + (*this)[Counter::global_store_sectors];
  }
  std::uint64_t global_requests() const {
    return (*this)[Counter::global_loads] + (*this)[Counter::global_stores];
  }
};

}  // namespace cuemu::counters
