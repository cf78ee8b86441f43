// The fast path for accesses that no rule can report. Such an access is a plain load or store inside its
// array. Its words were written before, and only launches and the block's barriers order it. The fast path
// records it in the shadow in a few nanoseconds. Every other access goes to Checker::access(), which calls
// the rules.
//
// The decision is made before the access. A warp has an epoch (BlockClocks::fast_epoch) while only barriers
// of the block and the whole warp order its threads; the first access after such a barrier computes it. A
// region's `fast_era` is the current era if the region needs no special treatment; the region's first access
// in a launch decides this.
//
// A block's threads reach a place in the code one after another, each for the next element of the same array.
// So most accesses by one place differ only in the element and the thread. quick_access() therefore reuses
// the results of the place's last access (QuickSite). The results are valid for one epoch (one block between
// two of its barriers), and until any region leaves the fast path.
#pragma once

#include <bit>

#include "checker.hpp"
#include "cuemu/local_arrays.hpp"
#include "cuemu/thread.hpp"
#include "marks.hpp"

namespace cuemu::check {

/// The accesses that happen before the current access: all epochs below `settled`, and for device memory also
/// the block's epochs before its last barrier.
struct Horizon {
  const BlockClocks& clocks;
  std::uint32_t settled;
  bool in_shared;

  [[gnu::always_inline]] bool before_barrier(const Mark& mark) const {
    if (in_shared || mark.epoch() >= clocks.settled || (mark.spread() == 3 && !mark.is_run())) return false;
    const Epoch& epoch = epochs[mark.epoch()];
    return epoch.block == clocks.block && epoch.era == clocks.era;
  }
  [[gnu::always_inline]] bool is_behind(const Mark& mark, const Mark& me) const {
    return mark.epoch() < settled || mark.is_of_thread(me) || before_barrier(mark);
  }
  /// Whether another block of the same launch made the access. The two accesses are then unordered.
  [[gnu::always_inline]] bool is_of_other_block(const Mark& mark) const {
    if (in_shared) return false;
    const Epoch& epoch = epochs[mark.epoch()];
    return epoch.era == clocks.era && epoch.block != clocks.block;
  }
};

/// Records a write. Returns false, and records nothing, if the access can't take the fast path.
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
  if (before.is_run()) {
    if (!horizon.is_behind(before, me)) return false;
    cell.read = me;
    return true;
  }
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
      (apart != Spread::grid && !before.atomic() ? before : me)  // as in take()
          .spread_to(std::max(static_cast<std::uint32_t>(apart), before.spread()), false, before.narrow());
  return true;
}

/// The smallest epoch that the last write of a word must have for a read to be valid. An empty mark does not
/// count as a write, unless the memory is initialised.
inline std::uint32_t first_write(bool initialised) {
  return initialised ? Epochs::none : Epochs::none + 1;
}

/// Records another read in the same epoch as the reads that the cell contains.
[[gnu::always_inline]] inline bool note_read_again(Cell& cell, const Mark& before, const Mark& me) {
  if (before.epoch() != me.epoch() || before.is_run_or_atomic()) return false;
  const std::uint32_t apart = before.thread() == me.thread() ? 0u : before.is_of_warp(me) ? 1u : 2u;
  if (before.spread() < apart) cell.read = before.spread_to(apart, false, before.narrow());
  return true;
}

/// Records an access in the most frequent cases: each mark in the cell is from an ended epoch, or from the
/// thread itself. An empty mark counts as ended.
template <bool write>
[[gnu::always_inline]] inline bool note_plainly(Cell& cell, const Mark& me, std::uint32_t settled,
                                                std::uint32_t first_write) {
  const Mark written = cell.write;
  if (written.epoch() >= settled && !written.is_of_thread(me)) [[unlikely]]
    return false;
  if (!write && written.epoch() < first_write) [[unlikely]]
    return false;
  const Mark before = cell.read;
  if (before.epoch() >= settled) {
    if (!write) return note_read_again(cell, before, me);
    if (!before.is_of_thread(me)) return false;
  }
  if (write) cell.write = me;
  cell.read = write ? Mark() : me;
  return true;
}

/// Begins or extends a run when a byte or a half of a word is accessed separately. Returns false if the word
/// must be split, or if a rule may report the access.
template <bool write>
[[gnu::always_inline]] inline bool note_unit(Cell& word, std::uint32_t byte, std::uint32_t unit,
                                             const Mark& me, const Horizon& horizon, bool initialised) {
  const std::uint32_t place = byte / unit;
  const Mark written = word.write, before = word.read;
  const auto is_own = [&](const Mark& mark) {
    return mark.is_run() && mark.epoch() == me.epoch() && mark.unit() == unit &&
           mark.thread() + place == me.thread();
  };
  const bool own_write = is_own(written), own_read = is_own(before);
  // A unit that begins a run overwrites the marks of the other units. So their accesses must have ended
  // before the launch.
  const bool read_is_over = before.epoch() < horizon.settled;
  if (write) {
    if (!own_read && !read_is_over) return false;
    if (own_write && place < written.units()) {
      if (written.site() == me.site()) return true;
      if (written.units() != 1) return false;
      word.write = Mark::run(me, unit, written.has_rest());
      return true;
    }
    if (own_write) {
      if (place != written.units() || written.site() != me.site()) return false;
      word.write = written.longer();
      return true;
    }
    if (place != 0 || written.epoch() >= horizon.settled) return false;
    if (written.is_run() && !written.is_full() && !written.has_rest()) return false;
    word.write = Mark::run(me, unit, !written.empty());
    if (read_is_over) word.read = Mark();
    return true;
  }
  if (!own_write && !horizon.is_behind(written, me)) return false;
  if (!initialised && written.of_byte(byte).empty()) return false;
  if (own_read) {
    if (place < before.units()) return true;
    if (place != before.units() || before.site() != me.site()) return false;
    word.read = before.longer();
    return true;
  }
  if (place != 0 || !read_is_over) return false;
  word.read = Mark::run(me, unit, false);
  return true;
}

template <bool write>
[[gnu::always_inline]] inline bool note_cell(Cell& cell, const Mark& me, const Horizon& horizon,
                                             bool initialised) {
  return note_plainly<write>(cell, me, horizon.settled, first_write(initialised)) ||
         (write ? note_fast_write(cell, me, horizon) : note_fast_read(cell, me, horizon, initialised));
}

/// Records an access to bytes whose words are split.
template <bool write>
[[gnu::noinline]] bool note_bytes(Region& region, std::uintptr_t address, std::size_t size, Mark me,
                                  Horizon horizon) {
  Cell* const bytes = region.byte_at(address);
  for (std::size_t byte = 0; byte < size; ++byte)
    if (!note_cell<write>(bytes[byte], me, horizon, region.initialised)) return false;
  return true;
}

/// Records an access in each of its cells in `region`.
template <std::size_t size, bool write, Words words>
[[gnu::always_inline]] inline bool note_all(Region& region, std::uintptr_t address, const Mark& me,
                                            const Horizon& horizon) {
  const std::size_t at = address - region.begin;
  if (at % (size < 4 ? size : 4) != 0) return false;
  Cell* const cells = &region.word_at(address);
  if (size < 4) {
    if (!cells->is_split()) return note_unit<write>(*cells, at % 4, size, me, horizon, region.initialised);
    return words == Words::also_split && note_bytes<write>(region, address, size, me, horizon);
  }
  for (std::size_t i = 0; i < size / 4; ++i) {
    if (note_cell<write>(cells[i], me, horizon, region.initialised)) continue;
    if (words == Words::whole || !cells[i].is_split() ||
        !note_bytes<write>(region, address + 4 * i, 4, me, horizon))
      return false;
  }
  return true;
}

/// Records an access that differs from the last one by the same place only in the thread and the element.
/// Returns false if it differs in anything else; a part of the access may then have been recorded.
template <std::size_t size, bool write>
[[gnu::always_inline]] inline bool Checker::quick_access(std::uintptr_t address, const void* pc) {
  const QuickSite& last = quick_sites.at(pc);
  if (last.pc != pc) return false;
  const Fiber& fiber = *current_fiber;
  BlockState* const state = running_block();
  if (state == nullptr) return false;
  const std::uint32_t thread = fiber.linear;
  // If the difference is not a multiple of the size, the rotation moves the remainder to the top bits.
  const std::size_t place = std::rotr(address - last.begin, std::countr_zero(size));
  if (place >= last.room || last.mark.epoch() != state->clocks.fast_epoch[thread / warp_width] ||
      last.departures != Region::departures.load(std::memory_order_relaxed))
    return false;
  if (write && last_write_is_unset()) return false;
  if (!last.in_shared) polls_in_turn_ = 0;
  vain_ = 0;
  const Mark me = last.mark.by_thread(thread);
  Cell* const cells = last.cells + place * (size / 4);
  for (std::size_t i = 0; i < size / 4; ++i)
    if (!note_plainly<write>(cells[i], me, last.settled, last.first_write)) return false;
  if (write) last_write_ = {state, last.region, address, size, me};
  if (!write && size == sizeof(void*)) last_pointer_read_ = address;
  return true;
}

/// Stores the results of an access for the next access by the same place in the code.
template <std::size_t size>
[[gnu::always_inline]] inline void remember_site(const void* pc, const AddressRange& array, Region& region,
                                                 const Mark& mark, const Horizon& horizon,
                                                 std::uint32_t departures) {
  if (array.begin % size != 0 || (array.begin - region.begin) % 4 != 0) return;
  quick_sites.at(pc) = {
      pc,   array.begin, array.bytes / size, &region.word_at(array.begin),    &region,
      mark, departures,  horizon.settled,    first_write(region.initialised), horizon.in_shared};
}

/// Handles an access of `size` bytes by the code at `pc`. Returns false if the access needs the slow path.
/// For whole words the function makes no calls, so it saves no registers.
template <std::size_t size, bool write, Words words>
[[gnu::always_inline]] inline bool Checker::fast_access(std::uintptr_t address, const void* pc) {
  const Fiber& fiber = *current_fiber;
  BlockState* const state = running_block();
  if (state == nullptr) return false;
  Checker& self = *instance_;
  const bool in_device = self.map_.in_device_range(address);
  const std::uintptr_t in_arena = address - state->arena_begin;
  const bool in_shared = !in_device && in_arena < state->arena_bytes;
  if (!in_device && !in_shared && state->is_private(fiber, address))
    return !has_guarded_arrays || !is_on_stack(fiber, address) || zone_at(address, size) == nullptr;
  if (words == Words::also_split) self.prepare_epoch(*state, fiber.linear);
  const std::uint32_t epoch = state->clocks.fast_epoch[fiber.linear / warp_width];
  const std::uint32_t departures = Region::departures.load(std::memory_order_relaxed);
  const Site site = self.sites_.known(pc);
  if (epoch == 0 || site == Sites::foreign || address % size != 0) return false;
  if (write && last_write_is_unset()) {
    if (words == Words::whole) return false;
    self.report_unset();
  }
  const Mark me(epoch, fiber.linear, false, false, site);
  const Horizon horizon{state->clocks, in_shared ? state->clocks.settled : state->settled, in_shared};
  Region* region = nullptr;
  if (in_shared) {
    const std::uint8_t* const owner = state->owner + in_arena / 4;
    if (owner[0] == 0 || owner[0] != owner[(size - 1) / 4]) return false;
    region = state->arena.get();
    if (!note_all<size, write, words>(*region, address, me, horizon)) return false;
  } else {
    region = in_device               ? self.map_.in_device(address)
             : words == Words::whole ? nullptr
                                     : self.map_.at(address);
    if (region == nullptr || region->fast_era != state->clocks.era || !region->contains(address, size) ||
        (write && region->constant))
      return false;
    if (!note_all<size, write, words>(*region, address, me, horizon)) return false;
    polls_in_turn_ = 0;
  }
  vain_ = 0;
  if (write) last_write_ = {state, region, size >= 4 ? address : 0, size, me};
  if (!write && size == sizeof(void*)) last_pointer_read_ = address;
  if (size >= 4 && words == Words::whole)
    remember_site<size>(
        pc, in_shared ? state->array_of(in_arena / 4) : AddressRange{region->begin, region->bytes}, *region,
        Mark(epoch, 0, false, false, site), horizon, departures);
  return true;
}

template <std::size_t size, bool write>
[[gnu::noinline]] void Checker::seldom_access(std::uintptr_t address, const void* pc) {
  const bool of_emulation =
      address == reinterpret_cast<std::uintptr_t>(&current_fiber);  // the emulation's headers read it often
  if (!of_emulation && !fast_access<size, write, Words::also_split>(address, pc))
    instance_->access(address, size, write ? writes : reads, pc);
}

template <std::size_t size, bool write>
[[gnu::noinline]] void Checker::slower_access(std::uintptr_t address, const void* pc) {
  if (!fast_access<size, write, Words::whole>(address, pc)) seldom_access<size, write>(address, pc);
}

template <std::size_t size, bool write>
[[gnu::noinline]] void Checker::other_access(std::uintptr_t address, const void* pc) {
  // Most of these accesses are to the thread's local variables.
  if (running_block() != nullptr && !has_guarded_arrays && is_on_stack(*current_fiber, address)) return;
  slower_access<size, write>(address, pc);
}

template <std::size_t size, bool write>
void Checker::plain_access(std::uintptr_t address, const void* pc) {
  if (size < 4 || !quick_access<size, write>(address, pc)) other_access<size, write>(address, pc);
}

}  // namespace cuemu::check
