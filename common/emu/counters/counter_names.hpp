/// @file
/// What the counters are called, in the order of `Counter` (tally.hpp): in JSON, and in the labs of the grader, which asks for
/// them by these names. Plain text that needs nothing of the emulation.
#pragma once

namespace cuemu::counters {

inline constexpr const char* counter_names[] = {
    "shared_loads",
    "shared_load_wavefronts",
    "shared_load_conflicts",
    "shared_stores",
    "shared_store_wavefronts",
    "shared_store_conflicts",
    "global_loads",
    "global_load_sectors",
    "global_load_bytes",
    "global_stores",
    "global_store_sectors",
    "global_store_bytes",
    "atomics",
    "atomic_turns",
    "constant_loads",
    "constant_turns",
    "uncoalesced_loads",
    "uncoalesced_stores",
    "divergent_branches",
    "steps",
    "lanes",
    "warp_barriers",
    "barriers",
    "blocks",
    "warps",
};

}  // namespace cuemu::counters
