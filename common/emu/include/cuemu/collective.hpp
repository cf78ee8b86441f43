// How lanes of a warp work together: the base of shuffles, votes, matches and cooperative groups.
//
// A collective is a call that every lane of a mask makes. Each lane leaves a pointer to its Call, which
// stands on its own stack, and waits; the first lane that goes on after the barrier serves them all: it reads
// every lane's input and writes every lane's result. Nobody else runs meanwhile, since the threads of a block
// share one OS thread, so that one barrier per collective is enough and values of any size need no copy
// elsewhere. Lanes of the mask that have returned take no part. What doesn't depend on types is the runtime's
// (../../runtime/collectives.cpp): code there is compiled once, and tells no tool of each access.
#pragma once

#include "cuemu/thread.hpp"

namespace cuemu {

/// Which call a lane makes. Lanes that meet must make the same one.
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

/// One lane's part in a collective. The kinds of calls add their inputs and results.
struct Call {
  uint32_t mask;
  Collective kind;
  uint16_t bytes;  ///< size of the values that are exchanged
};

/// The calls of the lanes that take part, by lane.
struct Participants {
  Call* const* calls;
  uint32_t present;  ///< lanes that called; the others of the mask have returned
  bool preemptible;  ///< the caller was, before

  template <typename Kind>
  Kind& call(const unsigned lane) const {
    return *static_cast<Kind*>(calls[lane]);
  }
};

namespace detail {

inline unsigned lowest(const uint32_t mask) {
  return static_cast<unsigned>(__builtin_ctz(mask));
}

/// What each lane of the warp waits in, by lane; null for lanes that do not wait.
inline Call** calls_of_warp() {
  return reinterpret_cast<Call**>(warp_slots().calls);
}

constexpr int kLaunchFailure = 719;  ///< cudaErrorLaunchFailure

/// What ends a kernel whose masks are wrong, with a sentence.
[[noreturn]] void stop_outside_mask(const Call& mine, SourceLine where);
[[noreturn]] void stop_mismatch(const Call& mine, unsigned other_lane, const Call& other, SourceLine where);

/// Waits for the others of the mask. Who has to serve them gets them all, and is not interrupted until part(); the others,
/// which have been served, get none.
Participants meet(Call& mine, SourceLine where);
void part(const Participants& served);

}  // namespace detail

/// Takes part in a collective. `serve(participants)` is called once for all, on the lane that goes on first.
/// Not inlined: a call is nothing beside the switches of threads, and unrolled loops have hundreds of them.
template <typename Serve>
__attribute__((noinline)) auto collective(Call& mine, const SourceLine where, const Serve serve) {
  const Participants participants = detail::meet(mine, where);
  if (participants.present == 0) return;
  serve(participants);
  detail::part(participants);
}

/// The lanes of the warp that make the same call as the caller, which is one of them. The address that the
/// call returns to tells calls apart, so whatever calls this is inlined.
///
/// A GPU answers with the lanes that happen to run in step. Lanes never do so here: the caller lets the
/// others run until each that can come has come to a stop somewhere. That finds the most lanes that a GPU
/// could answer, so that code in a branch gets the lanes that took the branch. Lanes that still meet each other in
/// parts of the warp (the shuffles of a tile) are on their way, unless they do so without end.
uint32_t converged_lanes(SourceLine where);

/// Calls `body(lane)` for each lane of a mask, upwards.
template <typename Body>
inline void for_lanes(uint32_t mask, const Body body) {
  for (; mask != 0; mask &= mask - 1) body(detail::lowest(mask));
}

}  // namespace cuemu
