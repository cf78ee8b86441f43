// One access of a kernel: which memory it is, and whether it is ordered after what came before.
#include "checker.hpp"
#include "launch_state.hpp"

extern "C" const char __executable_start;
extern "C" const char etext;
extern "C" const char end;

namespace cuemu::check {

namespace {

constexpr std::size_t page_shift = 12;

Spread relation(const Stamp& a, const Stamp& b) {
  if (a.block != b.block) return Spread::grid;
  if (a.thread == b.thread) return Spread::thread;
  return a.thread / warp_width == b.thread / warp_width ? Spread::warp : Spread::block;
}

Spread spread_with(const Stamp& old, const Stamp& me) {
  const auto spread = static_cast<std::uint32_t>(relation(old, me));
  return static_cast<Spread>(spread > old.spread ? spread : old.spread);
}

/// Both are atomic, and in a wide enough scope. In shared memory `narrow` marks volatile accesses, which
/// stand for atomic ones between warps only: within a warp they were used in place of __syncwarp().
bool atomic_together(const Stamp& old, const Stamp& me, bool in_shared) {
  if (old.atomic == 0 || me.atomic == 0) return false;
  if ((old.narrow | me.narrow) == 0) return true;
  const Spread spread = spread_with(old, me);
  return in_shared ? spread > Spread::warp : spread < Spread::grid;
}

void take(Stamp& stamp, const Stamp& me, bool ordered) {
  if (stamp.era == 0 || ordered) {
    stamp = me;
    return;
  }
  const auto spread = static_cast<std::uint32_t>(spread_with(stamp, me)) & 3u;
  const bool atomic = stamp.atomic != 0 && me.atomic != 0;
  const bool narrow = stamp.narrow != 0 || me.narrow != 0;
  stamp = me;
  stamp.spread = spread & 3u;
  stamp.atomic = atomic ? 1u : 0u;
  stamp.narrow = narrow ? 1u : 0u;
}

}  // namespace

const void* address_of(Site site) {
  return site != 0 ? &__executable_start + site : nullptr;
}

Code code_at(const void* pc) {
  const auto at = reinterpret_cast<std::uintptr_t>(pc);
  const auto begin = reinterpret_cast<std::uintptr_t>(&__executable_start);
  if (at < begin || at >= reinterpret_cast<std::uintptr_t>(&etext)) return Code::foreign;
  return line_of(pc).known() ? (is_direct(pc) ? Code::users_own : Code::inlined) : Code::foreign;
}

/// Code of the emulation's headers that was not inlined stands for the call that the user wrote.
Site Checker::site_of(const void* pc) {
  const auto begin = reinterpret_cast<std::uintptr_t>(&__executable_start);
  const auto offset_of = [begin](const void* address) {
    return static_cast<Site>(reinterpret_cast<std::uintptr_t>(address) - begin);
  };
  const auto class_of = [&](const void* address) {
    const std::size_t offset = reinterpret_cast<std::uintptr_t>(address) - begin;
    if (offset >= code_class_.size()) return Code::foreign;
    std::uint8_t& known = code_class_[offset];
    if (known == 0) known = static_cast<std::uint8_t>(code_at(address));
    return static_cast<Code>(known);
  };
  if (class_of(pc) != Code::foreign) return offset_of(pc);
  const auto* const trace = static_cast<const Trace*>(current_fiber->observed);
  if (trace == nullptr) return 0;
  for (std::uint32_t depth = trace->depth; depth > 0 && trace->depth - depth < Trace::size; --depth) {
    const void* const caller = trace->callers[(depth - 1) % Trace::size];
    if (class_of(caller) != Code::foreign) return offset_of(caller);
  }
  return 0;
}

Region* Checker::region_of(std::uintptr_t address) {
  if (address - device_.begin < device_.bytes) return pages_[(address - device_.begin) >> page_shift];
  const auto* const others = others_.load(std::memory_order_acquire);
  if (others == nullptr) return nullptr;
  std::size_t low = 0;
  std::size_t high = others->size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    ((*others)[middle]->begin <= address ? low : high) =
        (*others)[middle]->begin <= address ? middle + 1 : middle;
  }
  if (low == 0) return nullptr;
  Region* const region = (*others)[low - 1];
  return region->contains(address, 1) ? region : nullptr;
}

bool Checker::is_shared(std::uintptr_t address) {
  const Block& block = *current_fiber->block;
  if (block.observed == nullptr) return false;
  return static_cast<const BlockState*>(block.observed)->arena->contains(address, 1) ||
         address - device_.begin < device_.bytes || region_of(address) != nullptr;
}

void Checker::access(std::uintptr_t address, std::size_t size, unsigned kind, const void* pc) {
  Fiber& fiber = *current_fiber;
  Block& block = *fiber.block;
  if (block.observed == nullptr || size == 0) return;
  // The thread's own stack, and the fiber above it.
  if (address - reinterpret_cast<std::uintptr_t>(fiber.stack_low) <
      reinterpret_cast<std::uintptr_t>(&fiber + 1) - reinterpret_cast<std::uintptr_t>(fiber.stack_low))
    return;
  const Uninterrupted whole(fiber);  // what is allocated here is not the kernel's
  auto& state = *static_cast<BlockState*>(block.observed);
  Region* region = nullptr;
  if (state.arena->contains(address, 1)) {
    region = state.arena.get();
    const std::size_t word = (address - region->begin) / 4;
    const std::size_t last = (address - region->begin + size - 1) / 4;
    if (last >= state.layout->owner.size() || state.layout->owner[word] == 0 ||
        state.layout->owner[word] != state.layout->owner[last]) {
      if (address + size > reinterpret_cast<std::uintptr_t>(block.dynamic_shared) &&
          region->contains(address, size)) {
        touch(state, *region, address, size, kind, site_of(pc));
        return;
      }
      report_outside_shared(state, address, size, kind, site_of(pc));
      return;
    }
  } else {
    region = region_of(address);
    if (region == nullptr) {
      if (address < 4096 || address - device_.begin < device_.bytes)
        report_outside(state, address, size, kind, site_of(pc));
      else if (address < reinterpret_cast<std::uintptr_t>(&__executable_start) ||
               address >= reinterpret_cast<std::uintptr_t>(&end))
        report_host_pointer(state, address, size, kind, site_of(pc), pc);
      return;
    }
    if (region->retired() || !region->contains(address, size)) {
      report_outside(state, address, size, kind, site_of(pc));
      return;
    }
  }
  touch(state, *region, address, size, kind, site_of(pc));
}

void Checker::touch(BlockState& state, Region& region, std::uintptr_t address, std::size_t size,
                    unsigned kind, Site site) {
  if (site == 0) return;  // the emulation's own business
  const unsigned thread = current_fiber->linear;
  const bool in_shared = region.kind == RegionKind::shared;
  if ((kind & unaligned) == 0 && size <= 16 && (size & (size - 1)) == 0 && address % size != 0)
    report_misaligned(state, address, size, kind, site);
  const bool atomic = (kind & (is_atomic | is_volatile)) != 0;
  const auto* const trace = static_cast<const Trace*>(current_fiber->observed);
  if ((kind & is_atomic) != 0 && trace != nullptr && trace->block_scope) kind |= block_scope;
  Stamp me{};
  me.era = state.clocks.era & most_eras;
  me.thread = thread & 1023u;
  me.atomic = atomic ? 1u : 0u;
  me.narrow = (in_shared ? (kind & is_volatile) != 0 : (kind & block_scope) != 0) ? 1u : 0u;
  me.block = state.clocks.block;
  if (atomic) synchronise(state, address, kind, in_shared);
  if ((kind & compares) != 0 && state.stale_address == address && state.stale_thread == thread) {
    Findings::get().forgive(state.stale_read);
    state.stale_address = 0;
  }
  me.clock = state.clocks.now(thread);
  me.site = site;

  std::size_t count = 0;
  Cell* const cells = region.cells(address, size, count);
  bool written = region.initialised;
  bool raced = false;
  for (std::size_t i = 0; i < count; ++i) {
    Cell& cell = cells[i];
    if (in_shared && cell.write.era != 0 &&
        (cell.write.era < state.first_era || cell.write.block != state.clocks.block))
      cell.write = Stamp{};
    if (in_shared && cell.read.era != 0 &&
        (cell.read.era < state.first_era || cell.read.block != state.clocks.block))
      cell.read = Stamp{};
    written = written || cell.write.era != 0;
    const Stamp* other = nullptr;
    Stamp copy{};
    const bool race = visit(state, cell, me, (kind & writes) != 0, in_shared, other, copy);
    if (race && !raced) {
      raced = true;
      report_race(state, region, address + i * (size / count), size, copy, me, other == &cell.write, kind);
    }
  }
  if (!written && ((kind & writes) == 0 || (kind & keeps_old) != 0))
    report_unwritten(state, region, address, size, kind, site);
  if ((kind & (writes | is_volatile)) == is_volatile) give_way(state, address);
}

/// True where the access races with what the cell remembers: then `other` is which, and `copy` what it was.
bool Checker::visit(BlockState& state, Cell& cell, const Stamp& me, bool write, bool in_shared,
                    const Stamp*& other, Stamp& copy) const {
  const bool saw_write = cell.write.era == 0 || state.clocks.saw(cell.write, me.thread);
  if (!saw_write && !atomic_together(cell.write, me, in_shared)) other = &cell.write;
  if (write) {
    const bool saw_read = cell.read.era == 0 || state.clocks.saw(cell.read, me.thread);
    if (other == nullptr && !saw_read && !atomic_together(cell.read, me, in_shared)) other = &cell.read;
    if (other != nullptr) copy = *other;
    take(cell.write, me, saw_write || other != nullptr);
    if (saw_read || other != nullptr) cell.read = Stamp{};
  } else {
    if (other != nullptr) copy = *other;
    take(cell.read, me, cell.read.era != 0 && state.clocks.saw(cell.read, me.thread));
  }
  return other != nullptr;
}

/// Order that comes through memory: a flag or a counter hands on what its writer had published by a fence.
void Checker::synchronise(BlockState& state, std::uintptr_t address, unsigned kind, bool in_shared) {
  const unsigned thread = current_fiber->linear;
  const std::uint64_t channel =
      in_shared ? std::uint64_t{address} ^ (std::uint64_t{state.clocks.block} + 1) << 40 : address;
  if ((kind & publishes) != 0) state.clocks.fence(thread);
  if ((kind & writes) == 0 || (kind & keeps_old) != 0) state.clocks.learn(thread, channels_.read(channel));
  if ((kind & writes) != 0) channels_.write(channel, state.clocks.published(thread), (kind & keeps_old) != 0);
}

/// A thread that reads the same volatile variable again and again waits for others.
void Checker::give_way(BlockState& state, std::uintptr_t address) {
  constexpr std::uint32_t patience = 16;
  if (state.last_polled != address) {
    state.last_polled = address;
    state.polls = 0;
  }
  if (++state.polls < patience) return;
  state.polls = 0;
  yield();
}

void Checker::fence() {
  Block& block = *current_fiber->block;
  if (block.observed != nullptr)
    static_cast<BlockState*>(block.observed)->clocks.fence(current_fiber->linear);
}

void Checker::enter_function(const void* caller) {
  Fiber& fiber = *current_fiber;
  if (fiber.block->observed == nullptr) return;
  auto* trace = static_cast<Trace*>(fiber.observed);
  if (trace == nullptr) {
    const Uninterrupted whole(fiber);
    traces_.push_back(std::make_unique<Trace>());
    fiber.observed = trace = traces_.back().get();
  }
  trace->callers[trace->depth++ % Trace::size] = caller;
}

void Checker::set_block_scope(bool on) {
  const Fiber& fiber = *current_fiber;
  if (fiber.block->observed != nullptr && fiber.observed != nullptr)
    static_cast<Trace*>(fiber.observed)->block_scope = on;
}

void Checker::leave_function() {
  Fiber& fiber = *current_fiber;
  if (fiber.block->observed == nullptr || fiber.observed == nullptr) return;
  auto& trace = *static_cast<Trace*>(fiber.observed);
  if (trace.depth > 0) --trace.depth;
}

}  // namespace cuemu::check
