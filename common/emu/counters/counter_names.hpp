/// @file
/// The names of the counters, which JSON, `Counter` (tally.hpp) and the grader's labs use. The grader includes this
/// list, too, and so does not depend on the emulation.
///
/// Counts are per warp, unless stated otherwise.
#pragma once

// clang-format off
#define CUEMU_COUNTERS(COUNTER)                                                                                 \
  COUNTER(shared_loads)           /* requests */                                                                \
  COUNTER(shared_load_wavefronts)                                                                               \
  COUNTER(shared_load_conflicts)  /* wavefronts that a layout without bank conflicts would save */              \
  COUNTER(shared_stores)                                                                                        \
  COUNTER(shared_store_wavefronts)                                                                              \
  COUNTER(shared_store_conflicts)                                                                               \
  COUNTER(global_loads)           /* requests */                                                                \
  COUNTER(global_load_sectors)                                                                                  \
  COUNTER(global_load_turns)      /* of the L1 cache: one for each line of 128 bytes */                         \
  COUNTER(global_load_firsts)     /* sectors that the block had not loaded before */                            \
  COUNTER(global_load_bytes)      /* that lanes asked for, the same element of a request counted once */        \
  COUNTER(global_stores)                                                                                        \
  COUNTER(global_store_sectors)                                                                                 \
  COUNTER(global_store_turns)                                                                                   \
  COUNTER(global_store_firsts)                                                                                  \
  COUNTER(global_store_bytes)                                                                                   \
  COUNTER(atomics)                /* requests, to global and shared memory */                                   \
  COUNTER(shared_atomics)         /* of these, those to shared memory */                                        \
  COUNTER(atomic_turns)           /* turns beyond the first, of lanes that meet at the same address */          \
  COUNTER(constant_loads)                                                                                       \
  COUNTER(constant_turns)         /* turns beyond the first, of lanes that want different addresses */          \
  COUNTER(uncoalesced_loads)      /* global requests that touch more sectors than their bytes need */           \
  COUNTER(uncoalesced_stores)                                                                                   \
  COUNTER(divergent_branches)     /* executions of a branch after which lanes go different ways */              \
  COUNTER(steps)                  /* accesses and branches */                                                   \
  COUNTER(lanes)                  /* that took part in them */                                                  \
  COUNTER(warp_barriers)          /* of each warp with threads that came */                                     \
  COUNTER(barriers)               /* of blocks: completed __syncthreads() */                                    \
  COUNTER(blocks)                                                                                               \
  COUNTER(warps)
// clang-format on

namespace cuemu::counters {

inline constexpr const char* counter_names[] = {
#define CUEMU_COUNTER(name) #name,
    CUEMU_COUNTERS(CUEMU_COUNTER)
#undef CUEMU_COUNTER
};

}  // namespace cuemu::counters
