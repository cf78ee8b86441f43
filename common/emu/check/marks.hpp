// How marks in shadow memory are compared and replaced.
#pragma once

#include "cuemu/thread.hpp"
#include "shadow.hpp"
#include "timeline.hpp"

namespace cuemu::check {

inline Spread relation(const Mark& a, const Mark& b) {
  if (a.epoch() != b.epoch()) {
    const Epoch& first = epochs[a.epoch()];
    const Epoch& second = epochs[b.epoch()];
    if (first.block != second.block || first.era != second.era) return Spread::grid;
  }
  if (a.thread() == b.thread()) return Spread::thread;
  return a.thread() / warp_width == b.thread() / warp_width ? Spread::warp : Spread::block;
}

inline Spread spread_with(const Mark& old, const Mark& me) {
  const auto spread = static_cast<std::uint32_t>(relation(old, me));
  return static_cast<Spread>(spread > old.spread() ? spread : old.spread());
}

/// Both are atomic, and in a wide enough scope. In shared memory `narrow` marks volatile accesses, which
/// stand for atomic ones between warps only: within a warp they were used in place of __syncwarp().
inline bool atomic_together(const Mark& old, const Mark& me, bool in_shared) {
  if (!old.atomic() || !me.atomic()) return false;
  if (!old.narrow() && !me.narrow()) return true;
  const Spread spread = spread_with(old, me);
  return in_shared ? spread > Spread::warp : spread < Spread::grid;
}

/// What stands for both. Of accesses at the same time the first is named: who reads to write it back next is
/// no news; but a plain one behind an atomic one, since it is the one that races. Otherwise the last one, since its time
/// is that of all.
inline void take(Mark& mark, const Mark& me, bool ordered) {
  if (mark.empty() || ordered)
    mark = me;
  else
    mark = (mark.epoch() == me.epoch() && mark.atomic() <= me.atomic() ? mark : me)
               .spread_to(static_cast<std::uint32_t>(spread_with(mark, me)), mark.atomic() && me.atomic(),
                          mark.narrow() || me.narrow());
}

}  // namespace cuemu::check
