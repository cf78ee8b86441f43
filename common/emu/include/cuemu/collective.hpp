// How lanes of a warp work together: the base of shuffles, votes, matches and cooperative groups.
//
// A collective is a call that every lane of a mask makes. Each lane leaves a pointer to its Call, which
// stands on its own stack, and waits; the first lane that goes on after the barrier serves them all: it reads
// every lane's input and writes every lane's result. Nobody else runs meanwhile, since the threads of a block
// share one OS thread, so that one barrier per collective is enough and values of any size need no copy
// elsewhere. Lanes of the mask that have returned take no part.
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

  template <typename Kind>
  Kind& call(const unsigned lane) const {
    return *static_cast<Kind*>(calls[lane]);
  }
};

namespace detail {

inline unsigned lowest(const uint32_t mask) {
  return static_cast<unsigned>(__builtin_ctz(mask));
}

inline const char* name(const Collective kind) {
  constexpr const char* names[] = {"__syncwarp",        "__shfl_sync",       "__shfl_up_sync",
                                   "__shfl_down_sync",  "__shfl_xor_sync",   "__ballot_sync",
                                   "__any_sync",        "__all_sync",        "__uni_sync",
                                   "__match_any_sync",  "__match_all_sync",  "__reduce_add_sync",
                                   "__reduce_min_sync", "__reduce_max_sync", "__reduce_and_sync",
                                   "__reduce_or_sync",  "__reduce_xor_sync", "a cooperative group's call",
                                   "__activemask",      "a step of its warp"};
  return names[static_cast<int>(kind)];
}

/// What each lane of the warp waits in, by lane; null for lanes that do not wait.
inline Call** calls_of_warp() {
  return reinterpret_cast<Call**>(warp_slots().calls);
}

constexpr int kLaunchFailure = 719;  ///< cudaErrorLaunchFailure

[[noreturn]] __attribute__((cold, noinline)) inline void stop_outside_mask(const Call& mine,
                                                                           const SourceLine where) {
  char text[256];
  __builtin_snprintf(
      text, sizeof text,
      "%s:%d: lane %u calls %s with mask 0x%08x, in which it is not itself; name every lane that makes the "
      "call, for example with __ballot_sync before the branch",
      where.file, where.line, lane(), name(mine.kind), mine.mask);
  stop_kernel(kLaunchFailure, text);
}

[[noreturn]] __attribute__((cold, noinline)) inline void stop_mismatch(const Call& mine,
                                                                       const unsigned other_lane,
                                                                       const Call& other,
                                                                       const SourceLine where) {
  char text[384];
  __builtin_snprintf(
      text, sizeof text,
      "%s:%d: lane %u calls %s with mask 0x%08x, while lane %u waits in %s with mask 0x%08x: lanes that name "
      "each other must make the same call with the same mask and type",
      where.file, where.line, lane(), name(mine.kind), mine.mask, other_lane, name(other.kind), other.mask);
  stop_kernel(kLaunchFailure, text);
}

inline bool same_call(const Call& a, const Call& b) {
  return a.mask == b.mask && a.kind == b.kind && a.bytes == b.bytes;
}

/// Stops the kernel when a lane that waits names this one,
/// and is named by it, in a different call: neither could go on.
inline void check_partners(const Call& mine, Call* const* calls, const unsigned me, const SourceLine where) {
  const Call* const first = calls[lowest(mine.mask)];
  if (first != nullptr && same_call(*first, mine)) return;  // it has been checked against the others
  for (uint32_t rest = mine.mask; rest != 0; rest &= rest - 1) {
    const Call* const other = calls[lowest(rest)];
    if (other != nullptr && (other->mask >> me & 1u) != 0 && !same_call(*other, mine)) {
      stop_mismatch(mine, lowest(rest), *other, where);
    }
  }
}

}  // namespace detail

/// Takes part in a collective. `serve(participants)` is called once for all, on the lane that goes on first.
/// Not inlined: a call is nothing beside the switches of threads, and unrolled loops have hundreds of them.
template <typename Serve>
__attribute__((noinline)) void collective(Call& mine, const SourceLine where, const Serve serve) {
  const Uninterrupted whole(*current_fiber);
  Call** const calls = detail::calls_of_warp();
  const unsigned me = lane();
  if (__builtin_expect((mine.mask >> me & 1u) == 0, 0)) detail::stop_outside_mask(mine, where);
  detail::check_partners(mine, calls, me, where);
  calls[me] = &mine;
  warp_barrier(mine.mask, where);
  if (calls[me] == nullptr) return;  // served
  Participants participants{calls, 0};
  for (uint32_t rest = mine.mask; rest != 0; rest &= rest - 1) {
    if (calls[detail::lowest(rest)] != nullptr) participants.present |= rest & -rest;
  }
  serve(participants);
  for (uint32_t rest = participants.present; rest != 0; rest &= rest - 1)
    calls[detail::lowest(rest)] = nullptr;
}

/// The lanes of the warp that make the same call as the caller, which is one of them. The address that the
/// call returns to tells calls apart, so whatever calls this is inlined.
///
/// A GPU answers with the lanes that happen to run in step. Lanes never do so here: the caller lets the
/// others run until each that can come has come to a stop somewhere. That finds the most lanes that a GPU
/// could answer, so that code in a branch gets the lanes that took the branch. Lanes that still meet each other in
/// parts of the warp (the shuffles of a tile) are on their way, unless they do so without end.
__attribute__((noinline)) inline uint32_t converged_lanes(const SourceLine where) {
  struct Point : Call {
    const void* site;
    int line;        ///< tells calls apart where inlining is off
    uint32_t lanes;  ///< 0 until the answer is known
  };
  const Uninterrupted whole(*current_fiber);
  Call** const calls = detail::calls_of_warp();
  Point mine{{0, Collective::converge, 0}, __builtin_return_address(0), where.line, 0};
  calls[lane()] = &mine;
  bool nobody_else = false;
  int patience = 1000;  // rounds in which lanes only met each other
  for (uint32_t seen = 0, meetings = 0;;) {
    uint32_t here = 0;
    for (uint32_t rest = active_mask(); rest != 0; rest &= rest - 1) {
      const Call* const call = calls[detail::lowest(rest)];
      if (call == nullptr || call->kind != Collective::converge) continue;
      const Point& there = *static_cast<const Point*>(call);
      if (there.site == mine.site && there.line == mine.line) here |= rest & -rest;
    }
    const Block& block = *current_fiber->block;
    const bool all_begun =
        block.next_thread >= block.thread_count || block.next_thread >= (warp() + 1) * warp_width;
    // All are here; or a whole round brought nobody; or nobody else can run.
    const uint32_t met = warp_state().released;
    const bool on_their_way = met != meetings && --patience > 0;
    meetings = met;
    if (here == active_mask() || (all_begun && here == seen && !on_their_way) || nobody_else) {
      for (uint32_t rest = here; rest != 0; rest &= rest - 1) {
        static_cast<Point*>(calls[detail::lowest(rest)])->lanes = here;
        calls[detail::lowest(rest)] = nullptr;
      }
      return here;
    }
    seen = all_begun ? here : 0;
    nobody_else = !yield_within_block();
    if (mine.lanes != 0) return mine.lanes;
  }
}

/// Calls `body(lane)` for each lane of a mask, upwards.
template <typename Body>
inline void for_lanes(uint32_t mask, const Body body) {
  for (; mask != 0; mask &= mask - 1) body(detail::lowest(mask));
}

}  // namespace cuemu
