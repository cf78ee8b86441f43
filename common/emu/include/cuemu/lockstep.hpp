// Runs a warp's lanes in lockstep, statement by statement. `emucc --lockstep` inserts calls of these functions after
// statements.
//
// A lane stops at each step. When all lanes of the warp have stopped, the lanes at the foremost place continue
// together. The foremost place is the one in the most deeply nested call, and among places of the same depth the first
// in the source text. emucc inserts steps after branches and at the ends of loop bodies, so that lanes on different
// paths reconverge there. A lane that has left the branch waits, because the place after a branch comes later in the
// text than all places in the branch. (Scheduling of divergent warps by least program counter and stack pointer: S.
// Collange, "Stack-less SIMT reconvergence at low cost", 2011.)
//
// Warps run one after another, each up to a barrier of the block. If the whole block ran in lockstep, a missing
// barrier would have no effect.
#pragma once

#include "cuemu/collective.hpp"

namespace cuemu {

namespace detail {

struct StepPoint : Call {
  uint32_t place;   ///< the place of the statement in the source text
  uintptr_t depth;  ///< of the stack; greater in deeper calls
  uint32_t came_at_turn;
};

/// After this number of rounds an overtaken lane runs, so that a lane that waits in a loop for another lane makes
/// progress.
constexpr uint32_t step_patience = 4096;

/// Releases the lanes at the foremost place. @param waiting the lanes that wait at steps, at least one
inline void release_foremost(Call** const calls, const uint32_t waiting, const uint32_t turn) {
  const auto point = [&](const unsigned lane) { return static_cast<const StepPoint*>(calls[lane]); };
  const StepPoint* first = point(lowest(waiting));
  const StepPoint* oldest = first;
  for (uint32_t rest = waiting; rest != 0; rest &= rest - 1) {
    const StepPoint* const other = point(lowest(rest));
    if (other->depth != first->depth ? other->depth > first->depth : other->place < first->place)
      first = other;
    if (turn - other->came_at_turn > turn - oldest->came_at_turn) oldest = other;
  }
  if (turn - oldest->came_at_turn > step_patience) first = oldest;
  const uint32_t place = first->place;
  const uintptr_t depth = first->depth;
  for (uint32_t rest = waiting; rest != 0; rest &= rest - 1)
    if (point(lowest(rest))->place == place && point(lowest(rest))->depth == depth)
      calls[lowest(rest)] = nullptr;
}

__attribute__((noinline)) inline void wait_for_step(const uint32_t place) {
  Fiber& fiber = *current_fiber;
  const Uninterrupted whole(fiber);
  Call** const calls = calls_of_warp();
  WarpState& warp = warp_state();
  // A fiber object lies at the top of its stack.
  const uintptr_t depth =
      reinterpret_cast<uintptr_t>(&fiber) - reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  StepPoint mine{{0, Collective::step, 0}, place, depth, warp.step_turns};
  calls[lane()] = &mine;
  ++warp.steps;
  bool nobody_else = false;
  for (uint32_t seen = warp.steps - 1; calls[lane()] == &mine;) {
    uint32_t waiting = 0;
    for (uint32_t rest = active_mask(); rest != 0; rest &= rest - 1) {
      const Call* const call = calls[lowest(rest)];
      if (call != nullptr && call->kind == Collective::step) waiting |= rest & -rest;
    }
    // Either all lanes have stopped, or no lane stopped in a whole round: then the other lanes wait elsewhere.
    if (waiting == active_mask() || (warp_has_begun() && seen == warp.steps) || nobody_else) {
      release_foremost(calls, waiting, ++warp.step_turns);
      seen = warp.steps - 1;
      if (calls[lane()] != &mine) return;
    } else {
      seen = warp.steps;
    }
    nobody_else = !yield_within_warp();
  }
}

}  // namespace detail

/// The lanes of the warp that reach this place continue together.
inline void step_at([[maybe_unused]] const uint32_t place) {
#ifndef CUEMU_CHECK
  if (in_kernel()) detail::wait_for_step(place);
#endif
}
/// Returns the value of an assignment or condition. All lanes read before any lane continues.
template <class T>
inline T in_step_at(const uint32_t place, const T value) {
  step_at(place);
  return value;
}

}  // namespace cuemu
