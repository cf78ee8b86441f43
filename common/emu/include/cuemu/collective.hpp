// Cooperation of a warp's lanes: the base of shuffles, votes, matches and cooperative groups.
//
// A collective is a call that every lane of a mask makes. Each lane publishes a pointer to its Call, which is on the
// lane's stack, and waits. The first lane that continues after the barrier serves all lanes: it reads every lane's
// input and writes every lane's result. No other thread of the block runs meanwhile, since the threads of a block share
// one OS thread. So one barrier per collective suffices, and values of any size need no further copy. Lanes of the mask
// that have returned take no part. The part of the code that doesn't depend on types is in the runtime
// (../../runtime/collectives.cpp), where it is compiled once and reports no accesses to tools.
#pragma once

#include "cuemu/thread.hpp"

namespace cuemu {

/// The kind of call. Lanes that meet must make the same kind of call.
enum class Collective : uint16_t {
  sync,
  shuffle,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  ballot,
  any,
  all,
  uni,
  match_any,
  match_all,
  reduce_add,
  reduce_min,
  reduce_max,
  reduce_and,
  reduce_or,
  reduce_xor,
  group,
  converge,
  step
};

/// One lane's part in a collective. Derived types add the inputs and results of their kind.
struct Call {
  uint32_t mask;
  Collective kind;
  uint16_t bytes;  ///< size of the values that are exchanged
};

/// The calls of the lanes that take part, indexed by lane.
struct Participants {
  Call* const* calls;
  uint32_t present;  ///< lanes that made the call; the other lanes of the mask have returned
  bool preemptible;  ///< whether the caller was preemptible before the call

  template <typename Kind>
  Kind& call(const unsigned lane) const {
    return *static_cast<Kind*>(calls[lane]);
  }
};

namespace detail {

inline unsigned lowest(const uint32_t mask) {
  return static_cast<unsigned>(__builtin_ctz(mask));
}

/// Returns the call in which each lane of the warp waits, by lane; null for lanes that do not wait.
inline Call** calls_of_warp() {
  return reinterpret_cast<Call**>(warp_slots().calls);
}

constexpr int kLaunchFailure = 719;  ///< cudaErrorLaunchFailure

/// Stops a kernel with a message, because the masks of its calls are wrong.
[[noreturn]] void stop_outside_mask(const Call& mine, SourceLine where);
[[noreturn]] void stop_mismatch(const Call& mine, unsigned other_lane, const Call& other, SourceLine where);

/// Waits for the other lanes of the mask. The lane that continues first gets all calls and must serve the other lanes;
/// it is not interrupted until part(). The other lanes get no calls, because they have been served.
Participants meet(Call& mine, SourceLine where);
void part(const Participants& served);

}  // namespace detail

/// Takes part in a collective. `serve(participants)` is called once, on the lane that continues first. This function is
/// not inlined, since a call costs little compared with the thread switches, and unrolled loops contain hundreds of
/// collectives.
template <typename Serve>
__attribute__((noinline)) auto collective(Call& mine, const SourceLine where, const Serve serve) {
  const Participants participants = detail::meet(mine, where);
  if (participants.present == 0) return;
  serve(participants);
  detail::part(participants);
}

/// Returns the lanes of the warp that make the same call as the caller, including the caller. The return address
/// identifies a call, so every caller of this function is inlined.
///
/// A GPU returns the lanes that happen to run in lockstep. Here lanes never run in lockstep: the caller lets the other
/// lanes run until each of them has stopped somewhere. This finds the largest set of lanes that a GPU could return, so
/// code in a branch gets the lanes that took the branch. The caller also waits for lanes that still meet each other in
/// parts of the warp (the shuffles of a tile), unless they do so endlessly.
uint32_t converged_lanes(SourceLine where);

/// Calls `body(lane)` for each lane of a mask, in ascending order.
template <typename Body>
inline void for_lanes(uint32_t mask, const Body body) {
  for (; mask != 0; mask &= mask - 1) body(detail::lowest(mask));
}

}  // namespace cuemu
