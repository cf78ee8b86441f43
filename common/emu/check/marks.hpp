// Compares and replaces marks in shadow memory, and decides whether an access races with these marks.
#pragma once

#include "clocks.hpp"
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

/// Whether both accesses are atomic, in a scope that contains both threads. In shared memory `narrow` marks
/// volatile accesses. Within a warp they replace __syncwarp(), so they count as atomic only between warps.
inline bool atomic_together(const Mark& old, const Mark& me, bool in_shared) {
  if (!old.atomic() || !me.atomic()) return false;
  if (!old.narrow() && !me.narrow()) return true;
  const Spread spread = spread_with(old, me);
  return in_shared ? spread > Spread::warp : spread < Spread::grid;
}

/// Adds an access to a mark. If both have the same time, the mark keeps the earlier access, so a thread that
/// reads and then writes back changes nothing. One exception: a plain access replaces an atomic one, since
/// the plain access races. If the times differ, the mark names the later access, since its time is valid for
/// both.
inline void take(Mark& mark, const Mark& me, bool ordered) {
  if (mark.empty() || ordered)
    mark = me;
  else
    mark = (mark.epoch() == me.epoch() && mark.atomic() <= me.atomic() ? mark : me)
               .spread_to(static_cast<std::uint32_t>(spread_with(mark, me)), mark.atomic() && me.atomic(),
                          mark.narrow() || me.narrow());
}

/// The properties of an access, as they are compared with a cell.
struct Look {
  const BlockClocks& clocks;  ///< the clocks of its block
  Region& region;
  bool write;
  bool in_shared;
  bool handed_on;  ///< see Access
};

/// Whether the mark represents several threads of a block that has met only in parts, or threads of several
/// blocks of a cluster.
inline bool has_sharers(const Look& look, const Mark& mark) {
  const auto spread = static_cast<Spread>(mark.spread());
  return spread == Spread::grid ? look.in_shared : look.clocks.parts_meet && spread != Spread::thread;
}

/// Whether all accesses that a mark represents happen before the current operation of thread `t`. If the
/// sharers were not recorded, only the access that the mark names is compared.
inline bool saw_sharers(const Look& look, const Mark& mark, unsigned t) {
  Stamp stamp = mark.stamp();
  stamp.spread = 0;
  const auto known = look.region.sharers.find(&mark);
  if (known == look.region.sharers.end() || !(known->second.mark == mark)) return look.clocks.saw(stamp, t);
  for (const Sharers::Member& member : known->second.members) {
    stamp.block = member.block;
    stamp.thread = member.thread;
    stamp.clock = member.clock;
    if (!look.clocks.saw(stamp, t)) return false;
  }
  return true;
}

/// Like take(), and also records the sharers of the mark if a later access may need them.
inline void take_of(const Look& look, Mark& mark, const Mark& me, bool ordered) {
  constexpr std::size_t most = 1u << 16;
  const Mark before = mark;
  take(mark, me, ordered);
  if (!has_sharers(look, mark)) return;
  auto& sharers = look.region.sharers;
  if (sharers.size() >= most) sharers.clear();
  Sharers& all = sharers[&mark];
  if (!(all.mark == before)) {
    all.members.clear();
    if (before.spread() == 0) all.add(before);
  }
  // If the mark's threads were not recorded, at least the named one is added.
  if (all.members.empty()) all.add(before);
  all.add(me);
  all.mark = mark;
}

/// Records an access in a cell. Returns true if the access races with an access in the cell, and stores that
/// one in `other`.
inline bool note_access(Cell& cell, const Mark& me, const Look& look, Mark& other, bool& other_writes) {
  const BlockClocks& clocks = look.clocks;
  const auto saw = [&](const Mark& mark) {
    if (mark.empty()) return true;
    if (mark.epoch() == me.epoch() && !clocks.any_known)  // accesses of one epoch are unordered
      return mark.thread() == me.thread() && mark.spread() == 0;
    // If the mark represents several blocks, the clocks know only the last one.
    const bool of_cluster = look.in_shared && static_cast<Spread>(mark.spread()) == Spread::grid;
    if (!of_cluster && clocks.saw(mark.stamp(), me.thread())) return true;
    return has_sharers(look, mark) && saw_sharers(look, mark, me.thread());
  };
  // An access that comes after the last of many updates of a counter comes after all of them, if each update
  // passed on the knowledge of the updates before it. So the last block may reset the counter.
  const auto saw_last_update = [&] {
    return look.handed_on && cell.write.atomic() && !cell.write.narrow() &&
           saw(cell.write.spread_to(0, true, false));
  };
  const bool saw_write = saw(cell.write) || saw_last_update();
  bool raced = !saw_write && !atomic_together(cell.write, me, look.in_shared);
  if (raced) {
    other = cell.write;
    other_writes = true;
  }
  const bool saw_read = saw(cell.read);
  if (!look.write) {
    take_of(look, cell.read, me, saw_read);
    return raced;
  }
  if (!raced && !saw_read && !atomic_together(cell.read, me, look.in_shared)) {
    raced = true;
    other = cell.read;
  }
  // A plain write stays in the cell when the same thread then writes atomically: the plain write still races
  // with other threads.
  const bool stays = me.atomic() && !cell.write.atomic() && cell.write.is_of_thread(me);
  if (!stays) take_of(look, cell.write, me, saw_write || raced);
  if (saw_read || raced) cell.read = Mark();
  return raced;
}

}  // namespace cuemu::check
