// The fast path of an access of which no rule has anything to say: by a plain load or store inside of its array, to
// words that have been written before, and ordered by launches and the block's barriers alone. It is noted in
// the shadow here, in a few nanoseconds. Any other goes to Checker::access(), which tells the rules of it.
//
// Whether an access may take it is prepared outside of it: a warp's epoch (BlockClocks::fast_epoch) is there
// while only barriers of the block and the whole warp order its threads, and a region is `fast_era` an era
// while nothing is special about it.
#pragma once

#include "checker.hpp"
#include "cuemu/local_arrays.hpp"
#include "cuemu/thread.hpp"
#include "marks.hpp"

namespace cuemu::check {

/// What is ordered before an access: epochs below `settled`, and in memory of the device what the block did
/// before its last barrier.
struct Horizon {
  const BlockClocks& clocks;
  std::uint32_t settled;
  bool in_shared;

  [[gnu::always_inline]] bool before_barrier(const Mark& mark) const {
    if (in_shared || mark.epoch() >= clocks.settled || mark.spread() == 3) return false;
    const Epoch& epoch = epochs[mark.epoch()];
    return epoch.block == clocks.block && epoch.era == clocks.era;
  }
  [[gnu::always_inline]] bool is_behind(const Mark& mark, const Mark& me) const {
    return mark.epoch() < settled || mark.is_of_thread(me) || before_barrier(mark);
  }
  /// Of another block of the same launch: nothing orders the two.
  [[gnu::always_inline]] bool is_of_other_block(const Mark& mark) const {
    if (in_shared) return false;
    const Epoch& epoch = epochs[mark.epoch()];
    return epoch.era == clocks.era && epoch.block != clocks.block;
  }
};

/// False: the access is none for the fast path, and nothing was done.
[[gnu::always_inline]] inline bool note_fast_write(Cell& cell, const Mark& me, const Horizon& horizon) {
  if (!horizon.is_behind(cell.write, me) || !horizon.is_behind(cell.read, me)) return false;
  cell.write = me;
  cell.read = Mark();
  return true;
}

[[gnu::always_inline]] inline bool note_fast_read(Cell& cell, const Mark& me, const Horizon& horizon,
                                                  bool initialised) {
  if (!horizon.is_behind(cell.write, me) || (cell.write.empty() && !initialised)) return false;
  const Mark before = cell.read;
  Spread apart = Spread::thread;
  if (before.epoch() == me.epoch()) {
    if (before.thread() != me.thread())
      apart = before.thread() / warp_width == me.thread() / warp_width ? Spread::warp : Spread::block;
  } else if (horizon.is_behind(before, me)) {
    cell.read = me;
    return true;
  } else if (horizon.is_of_other_block(before)) {
    apart = Spread::grid;
  } else {
    return false;
  }
  cell.read =
      (apart != Spread::grid && !before.atomic() ? before : me)  // as take() has it
          .spread_to(std::max(static_cast<std::uint32_t>(apart), before.spread()), false, before.narrow());
  return true;
}

/// All cells of an access that lies inside of `region`.
template <std::size_t size, bool write>
[[gnu::always_inline]] inline bool note_fast(Region& region, std::uintptr_t address, const Mark& me,
                                             const Horizon& horizon) {
  std::size_t count = 0;
  Cell* const cells = region.cells_as_they_are(address, size, count);
  for (std::size_t i = 0; i < count; ++i)
    if (!(write ? note_fast_write(cells[i], me, horizon)
                : note_fast_read(cells[i], me, horizon, region.initialised)))
      return false;
  return count != 0;
}

/// Their commonest cases, of marks in epochs that are over and of the thread's own; an empty mark is one of those.
template <bool write>
[[gnu::always_inline]] inline bool note_plainly(Cell& cell, const Mark& me, std::uint32_t settled) {
  const Mark written = cell.write, before = cell.read;
  if (written.epoch() >= settled && !written.is_of_thread(me)) return false;
  if (write) {
    if (before.epoch() >= settled && !before.is_of_thread(me)) return false;
    cell.write = me;
    cell.read = Mark();
    return true;
  }
  if (written.empty()) return false;
  if (before.epoch() < settled) {
    cell.read = me;
    return true;
  }
  if (before.epoch() != me.epoch() || before.atomic()) return false;
  const std::uint32_t apart = before.thread() == me.thread() ? 0u : before.is_of_warp(me) ? 1u : 2u;
  if (before.spread() < apart) cell.read = before.spread_to(apart, false, before.narrow());
  return true;
}

/// For one cell of an access.
template <bool write>
[[gnu::always_inline]] inline bool note_quickly(Cell& cell, const Mark& me, const Horizon& horizon,
                                                bool initialised) {
  if (__builtin_expect(note_plainly<write>(cell, me, horizon.settled), 1)) return true;
  return write ? note_fast_write(cell, me, horizon) : note_fast_read(cell, me, horizon, initialised);
}

/// An access of `size` bytes by the code at `pc`; false: it has to be looked at by access_otherwise(). This is what
/// nearly all accesses of a kernel take, so it is a leaf: no call, few registers, and what it needs of the
/// block stands side by side in `running_`.
template <std::size_t size, bool write>
[[gnu::always_inline]] inline bool Checker::quick_access(std::uintptr_t address, const void* pc) {
  const Fiber& fiber = *current_fiber;
  RunningBlock& running = running_;
  if (__builtin_expect(fiber.block != running.block, 0)) return false;
  const std::uint32_t thread = fiber.linear;
  const BlockState& state = *running.state;
  const std::uint32_t epoch = state.clocks.fast_epoch[thread / warp_width];
  Checker& self = *running.checker;
  const Site site = self.sites_.known(pc);
  if (__builtin_expect(epoch == 0 || site == Sites::foreign || address % size != 0, 0)) return false;
  const Mark me(epoch, thread, false, false, site);
  Region* region = running.arena;
  const std::uintptr_t in_arena = address - running.arena_begin;
  const bool in_shared = in_arena < running.arena_bytes;
  if (in_shared) {
    const std::uint8_t* const owner = running.owner + in_arena / 4;
    if (__builtin_expect(owner[0] == 0 || (size > 4 && owner[0] != owner[(size - 1) / 4]), 0)) return false;
  } else {
    region = self.map_.at_on_device(address);
    if (region == nullptr || region->fast_era != state.clocks.era || !region->contains(address, size) ||
        (write && region->constant))
      return false;
  }
  const Horizon horizon{state.clocks, in_shared ? state.clocks.settled : state.settled, in_shared};
  std::size_t count = 0;
  Cell* const cells = region->cells_as_they_are(address, size, count);
  const Cell* const end = cells + count;
  if (size < 4 && count == 0) return false;
  Cell* cell = cells;
  do {
    if (!note_quickly<write>(*cell, me, horizon, region->initialised)) return false;
  } while (++cell != end);
  self.polls_in_turn_ = 0;
  self.vain_ = 0;
  if (__builtin_expect(self.unseen_ != nullptr, 0)) {
    const Written* const last = self.unseen_;
    if (*reinterpret_cast<const std::uint32_t*>(last->address) == self.unset_bytes_) return false;
    self.unseen_ = nullptr;
  }
  if (write && size >= 4) {
    self.last_write_ = {running.state, region, address, size, site, thread};
    self.unseen_ = &self.last_write_;
  }
  return true;
}

/// The same of an access that is a little less common; false: it has to be looked at by Checker::access().
template <std::size_t size, bool write>
[[gnu::always_inline]] inline bool Checker::fast_access(std::uintptr_t address, const void* pc) {
  const Fiber& fiber = *current_fiber;
  BlockState* const state = running_block();
  if (state == nullptr) return false;
  Checker& self = *instance_;
  running_ = {
      fiber.block,       state, &self, state->arena->begin, state->arena->bytes, state->layout->owner.data(),
      state->arena.get()};
  const std::uintptr_t in_arena = address - state->arena->begin;
  const bool in_shared = in_arena < state->arena->bytes;
  if (!in_shared && state->is_private(fiber, address))
    return !has_guarded_arrays || !is_on_stack(fiber, address) || zone_at(address, size) == nullptr;
  const std::uint32_t epoch = state->clocks.fast_epoch[fiber.linear / warp_width];
  const Site site = self.sites_.known(pc);
  if (epoch == 0 || site == Sites::foreign || address % size != 0) return false;
  const Mark me(epoch, fiber.linear, false, false, site);
  Region* region = nullptr;
  if (in_shared) {
    const std::uint8_t* const owner = state->layout->owner.data() + in_arena / 4;
    if (owner[0] == 0 || owner[0] != owner[(size - 1) / 4]) return false;
    region = state->arena.get();
    if (!note_fast<size, write>(*region, address, me, {state->clocks, state->clocks.settled, true}))
      return false;
  } else {
    region = self.map_.at(address);
    if (region == nullptr || region->fast_era != state->clocks.era || !region->contains(address, size) ||
        (write && region->constant))
      return false;
    if (!note_fast<size, write>(*region, address, me, {state->clocks, state->settled, false})) return false;
    self.polls_in_turn_ = 0;
  }
  self.vain_ = 0;
  if (self.unseen_ != nullptr) self.see_last_write();
  if (write && size >= 4) {
    self.last_write_ = {state, region, address, size, site, fiber.linear};
    self.unseen_ = &self.last_write_;
  }
  return true;
}

/// An access that is none for quick_access().
template <std::size_t size, bool write>
[[gnu::noinline]] void Checker::access_otherwise(std::uintptr_t address, const void* pc) {
  if (!fast_access<size, write>(address, pc)) instance_->access(address, size, write ? writes : reads, pc);
}

template <std::size_t size, bool write>
void Checker::plain_access(std::uintptr_t address, const void* pc) {
  if (!quick_access<size, write>(address, pc)) access_otherwise<size, write>(address, pc);
}

}  // namespace cuemu::check
