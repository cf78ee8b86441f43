// Handles one access of a kernel: finds the memory, acquires order through it, and calls the rules.
#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "checker.hpp"
#include "cuemu/local_arrays.hpp"
#include "source.hpp"

namespace cuemu::check {

namespace {
thread_local Trace trace_of_host;  ///< the trace of the calling host thread

/// An address closer than this to a block's shared memory was probably meant to be inside it.
constexpr std::uintptr_t near_arena = shared_guard_bytes;

}  // namespace

/// Returns the site of the user's call. Does so only if code of the emulation's headers was not inlined.
Site Checker::site_of_caller() {
  const auto* const trace = in_kernel() ? thread_data<Trace>(checker_slot) : &trace_of_host;
  if (trace == nullptr) return 0;
  for (std::uint32_t depth = trace->depth; depth > 0 && trace->depth - depth < Trace::size; --depth)
    if (const Site site = sites_.at(trace->callers[(depth - 1) % Trace::size]); site != 0) return site;
  return 0;
}

const ClusterState::Member* ClusterState::at(std::uintptr_t address, std::uintptr_t near) const {
  for (const Member& member : members)
    if (address - member.arena_begin + near < member.arena_bytes + 2 * near) return &member;
  return nullptr;
}

bool Checker::is_shared(std::uintptr_t address) {
  const BlockState* const state = running_block();
  if (state == nullptr) {
    if (in_kernel()) return false;
    if (map_.in_device_range(address)) return true;
    if (!map_.has_host_memory()) return false;
    const Region* const region = map_.at(address);
    return region != nullptr && region->for_host();
  }
  if (address < near_null) return true;
  return state->arena->contains(address, 1) || map_.in_device_range(address) ||
         (state->cluster != nullptr && state->cluster->at(address) != nullptr) ||
         (!state->is_private(*current_fiber, address) && map_.at(address) != nullptr);
}

/// Checks an access. Returns false if the access is bad and has been reported to the rules.
bool Checker::look_at(std::uintptr_t address, std::size_t size, unsigned kind, const void* pc) {
  Fiber& fiber = *current_fiber;
  if (size == 0) return true;
  BlockState* const running = running_block();
  if (running == nullptr) {
    if (in_kernel()) return true;
    if (map_.in_device_range(address)) return host_may_use(address, pc);
    if (map_.has_host_memory() || map_.may_be_host_copy(address)) host_access(address, size, kind, pc);
    return true;
  }
  BlockState& state = *running;
  if (state.is_private(fiber, address)) {
    const ArrayZone* const zone =
        has_guarded_arrays && is_on_stack(fiber, address) ? zone_at(address, size) : nullptr;
    return zone == nullptr || outside_local(state, *zone, address, size, kind, pc);
  }
  const Uninterrupted whole(fiber);  // memory that the checker allocates here is not the kernel's
  if (state.arena->contains(address, 1)) {
    if (!in_arrays(state, address, size)) return stray(state, address, size, kind, pc, Stray::Where::shared);
    return touch(state, state, *state.arena, address, size, kind, pc);
  }
  if (bool good = true; state.cluster != nullptr && in_cluster(state, address, size, kind, pc, good))
    return good;
  Region* const region = map_.at(address);
  if (region != nullptr && !region->retired() && region->contains(address, size)) {
    return touch(state, state, *region, address, size, kind, pc);
  } else if (region != nullptr || address < near_null || map_.in_device_range(address)) {
    return stray(state, address, size, kind, pc, Stray::Where::device);
  } else if (address - state.arena->begin + near_arena < state.arena->bytes + 2 * near_arena) {
    return stray(state, address, size, kind, pc, Stray::Where::shared);
    // Accesses by the checker's own code (Busy) don't count. They are reported if the user's program
    // instantiates the same template: the linker may then choose the user's copy, which is instrumented.
  } else if (!Busy::now() && may_be_mistaken(kind, pc)) {
    if (const Unreachable place = turned_back(address); place.kind != Unreachable::Kind::nothing) {
      if (place.kind == Unreachable::Kind::parents_memory) return false;  // the launch has reported it
      if (is_table_of_host(place)) {
        use_turned_table(state, place.address, pc);
        return false;
      }
      return stray(state, place.address, size, kind, pc,
                   sites_.is_constant(place.address, pc) ? Stray::Where::constant : Stray::Where::host);
    }
    if (sites_.is_constant(address, pc)) return read_constant(state, address, size, kind, pc);
    if (in_variable_template(reinterpret_cast<const void*>(address))) return true;
    return stray(state, address, size, kind, pc,
                 is_the_hosts_variable(*state.launch, address) ? Stray::Where::host
                 : map_.is_behind_variable(address) || map_.wrapped_from(address, size) != nullptr
                     ? Stray::Where::device
                 : is_mapped(address) ? Stray::Where::host
                                      : Stray::Where::nowhere);
  }
  return true;
}

/// Returns whether the address is in the shared memory of another block of the cluster. Sets `good` to
/// whether the access is correct.
bool Checker::in_cluster(BlockState& state, std::uintptr_t address, std::size_t size, unsigned kind,
                         const void* pc, bool& good) {
  const ClusterState::Member* const member = state.cluster->at(address, near_arena);
  if (member == nullptr || member->state == &state) return false;
  if (member->state == nullptr)
    good = stray(state, address, size, kind, pc, Stray::Where::ended, member);
  else if (!member->state->arena->contains(address, 1) || !in_arrays(*member->state, address, size))
    good = stray(state, address, size, kind, pc, Stray::Where::shared, member);
  else
    good = touch(state, *member->state, *member->state->arena, address, size, kind, pc);
  return true;
}

/// Suppresses an access: the read returns 0, or a function of the object's real table; the write is dropped.
void Checker::leave_out(std::uintptr_t address, std::size_t size) {
  const Region* const region = map_.at(address);
  const bool used = map_.in_device_range(address) ? region != nullptr && !region->retired()
                                                  : address >= near_null && is_mapped(address);
  const Unreachable place = turned_back(address);
  skip_access(address, size, used,
              is_table_of_host(place) ? reinterpret_cast<const void*>(place.address) : nullptr);
}

std::size_t Checker::copied_by_function(std::uintptr_t address, std::size_t size, unsigned kind,
                                        const void* pc) {
  BlockState* const state = running_block();
  const bool looks = state != nullptr ? !state->is_private(*current_fiber, address) : is_shared(address);
  if (!looks || look_at(address, size, kind, pc)) return size;
  if (state == nullptr) return 0;  // host code, which accesses device memory
  const Region* const region = map_.at(address);
  const bool begins_well = region != nullptr && !region->retired() && region->contains(address, 1);
  return begins_well ? region->begin + region->bytes - address : 0;
}

bool Checker::text_printed(const char* text, std::size_t most, const void* pc) {
  for (std::size_t i = 0; i < most; ++i) {
    if (!look_at(reinterpret_cast<std::uintptr_t>(text + i), 1, reads, pc)) return false;
    if (text[i] == '\0') break;
  }
  return true;
}

/// Returns whether the whole access is inside one of the block's shared arrays.
bool Checker::in_arrays(const BlockState& state, std::uintptr_t address, std::size_t size) const {
  if (address >= state.dynamic_begin) return address + size <= state.dynamic_end;
  const std::vector<std::uint8_t>& owner = state.layout->owner;
  const std::size_t word = (address - state.arena->begin) / 4;
  const std::size_t last = (address - state.arena->begin + size - 1) / 4;
  return last < owner.size() && owner[word] != 0 && owner[word] == owner[last];
}

/// Returns whether an access to host memory may be a mistake. Code of the emulation's headers is trusted,
/// except when it accesses the arguments of atomic functions.
bool Checker::may_be_mistaken(unsigned kind, const void* pc) {
  const Site site = sites_.at(pc);
  const bool updates = (kind & is_atomic) != 0 && (kind & keeps_old) != 0;
  return updates ? site_of(pc) != 0 : site != Sites::foreign && sites_.is_users_own(pc);
}

/// Returns whether host code may make this access to device memory. Host code may know such an address, but
/// must not access it. Accesses by the runtime are not checked, even if the user's call causes them.
bool Checker::host_may_use(std::uintptr_t address, const void* pc) {
  if (Busy::now()) return true;
  const Busy busy;
  if (sites_.at(pc) == Sites::foreign) return true;
  notify_rules(&Observer::host_touched_device, address, static_cast<const char*>(pc) - 1);
  return false;
}

void Checker::host_copy_access(std::uintptr_t address, unsigned kind, const void* pc) {
  const Busy busy;
  const Site site = site_of(pc);
  const std::string variable = map_.host_copy_at(address);
  if (site == 0 || variable.empty()) return;
  for (const RulePtr& rule : rules_) rule->host_copy_accessed(variable, kind, site);
}

void Checker::host_access(std::uintptr_t address, std::size_t size, unsigned kind, const void* pc) {
  if (Busy::now()) return;
  if (map_.may_be_host_copy(address)) return host_copy_access(address, kind, pc);
  Region* const region = map_.at(address);
  if (region == nullptr || !region->for_host() || region->retired() || !region->contains(address, size))
    return;
  const Busy busy;
  const Site site = site_of(pc);
  if (site == 0) return;
  if ((kind & is_volatile) != 0) note_volatile(site);
  if (kind == reads && size == sizeof(void*) && address % size == 0)
    host_reads_pointer(*region, address, site);
  const std::lock_guard<std::mutex> lock(host_memory_);
  if ((kind & (is_atomic | is_volatile)) != 0) {
    if ((kind & writes) == 0 || (kind & keeps_old) != 0) learn(Timeline::get().now(), address);
    if ((kind & writes) != 0) publish(address, Timeline::get().host_era());
  }
  std::size_t count = 0;
  Cell* const cells = region->cells(address, size, count);
  const HostAccess event{*region, address, size, kind, site, cells, count};
  for (const RulePtr& rule : rules_) rule->host_accessed(event);
}

/// Returns whether the access outside the array is allowed because the emulation's own code makes it. Reports
/// an access by the user's code.
bool Checker::outside_local(BlockState& state, const ArrayZone& zone, std::uintptr_t address,
                            std::size_t size, unsigned kind, const void* pc) {
  const Uninterrupted whole(*current_fiber);
  if (sites_.at(pc) == Sites::foreign) return true;
  const OutsideLocal event{state, zone, address, size, kind, site_of(pc)};
  for (const RulePtr& rule : rules_) rule->outside_local(event);
  return false;
}

/// Reports the access. Always returns false.
bool Checker::stray(BlockState& state, std::uintptr_t address, std::size_t size, unsigned kind,
                    const void* pc, Stray::Where where, const ClusterState::Member* home) {
  see_last_write();
  const std::uintptr_t begin = home != nullptr ? home->arena_begin : state.arena_begin;
  const bool of_host = where == Stray::Where::host || where == Stray::Where::constant;
  const Stray event{state,
                    address,
                    size,
                    kind,
                    site_of(pc),
                    pc,
                    where,
                    home != nullptr ? home->block : state.clocks.block,
                    static_cast<std::ptrdiff_t>(address - begin),
                    of_host ? holder_of_pointer(*state.launch, address) : nullptr};
  for (const RulePtr& rule : rules_) rule->strayed(event);
  return false;
}

/// Checks an access inside a region. Returns false if the compiler relies on an address that is a multiple of
/// the access size, and the address is not.
bool Checker::touch(BlockState& state, BlockState& home, Region& region, std::uintptr_t address,
                    std::size_t size, unsigned kind, const void* pc) {
  see_last_write();
  const Site site = site_of(pc);
  if (site == 0) {  // the emulation's own access, which may write data that the user reads
    if ((kind & writes) != 0 && !region.initialised) region.mark_written(address, size);
    return true;
  }
  if (!region.is_given(address, size)) return stray(state, address, size, kind, pc, Stray::Where::heap);
  if (looked_at_.reader != nullptr) learn_late();
  const unsigned thread = current_fiber->linear;
  const bool looks = (kind & (writes | is_volatile)) == is_volatile;
  if ((kind & is_volatile) != 0) note_volatile(site);
  // Lets other threads run before this thread acquires order through a flag, since it may read a value that
  // they write meanwhile. They may also free the memory, so the whole check is repeated.
  if (looks && gives_way(state, address)) return look_at(address, size, kind, pc);
  const bool in_shared = region.kind == RegionKind::shared;
  const auto* const trace = thread_data<Trace>(checker_slot);
  if ((kind & is_atomic) != 0 && trace != nullptr && trace->block_scope) kind |= block_scope;
  if (trace != nullptr && trace->updates) kind &= ~static_cast<unsigned>(compares);
  if ((kind & (is_atomic | is_volatile)) != 0 && counting_ != current_fiber)
    synchronise(state, home, address, kind, in_shared);
  std::unique_lock<std::mutex> lock(host_memory_, std::defer_lock);
  if (region.for_host()) lock.lock();
  std::size_t count = 0;
  Cell* const cells = region.cells(address, size, count);
  const bool handed_on = state.clocks.any_known && (kind & (is_atomic | is_volatile)) == 0 &&
                         channels_.read(home.channel_of(address, in_shared)) != nullptr;
  const Access event{state, home,   region, address, size,      kind,
                     site,  thread, cells,  count,   in_shared, handed_on};
  // Compilers report a 16-byte access as aligned if its address is a multiple of 8, which suffices for a
  // structure of two pointers. If the type needs 16, -fsanitize=alignment has reported the pointer just
  // before this access.
  const bool reported = odd_pointer_ == address && odd_in_ == current_fiber;
  const std::size_t needed = reported ? size : std::min<std::size_t>(size, 8);
  const bool odd = (kind & unaligned) == 0 && size <= 16 && (size & (size - 1)) == 0 && address % needed != 0;
  if (odd)
    for (const RulePtr& rule : rules_) rule->misaligned(event);
  for (RuleObserver* const rule : access_rules_) rule->accessed(event);
  if (lock.owns_lock()) lock.unlock();
  if (&home != &state) visit(state, home, address, size, kind, site);
  if (!in_shared) watch_polling(looks || (kind & is_atomic) != 0);
  if (!looks && (kind & is_atomic) == 0) vain_ = 0;
  prepare_epoch(state, thread);
  if (!state.every_access) prepare_region(state, region);
  if ((kind & writes) == 0 && size == sizeof(void*)) last_pointer_read_ = address;
  if ((kind & writes) != 0 && size % 4 == 0)
    last_write_ = {&state, &region, address, size, Mark(Epochs::none, thread, false, false, site)};
  return !odd;
}

/// Checks an access to another block's shared memory. The access must happen after that block begins and
/// before it ends.
void Checker::visit(BlockState& state, BlockState& home, std::uintptr_t address, std::size_t size,
                    unsigned kind, Site site) {
  const unsigned thread = current_fiber->linear;
  const Stamp now{state.clocks.era, state.clocks.block, state.clocks.now(thread), site, thread};
  home.visits[{now.block, thread}] = {now, address, size, kind};
  // If the grid's barrier has been passed, all blocks of the grid have begun.
  if (now.era != state.first_era || state.clocks.knows_of(home.clocks.block, thread)) return;
  const Unawaited event{home, false, now, address, size, kind};
  for (const RulePtr& rule : rules_) rule->unawaited(event);
}

void Checker::prepare_region(const BlockState& state, Region& region) {
  const std::uint32_t era = state.clocks.era;
  if (region.fast_era == era || region.for_host() || region.is_heap || region.width != 0 ||
      !region.more_reads.empty())
    return;
  if (region.boxes.empty() || (region.open_for == era && region.open.empty())) region.fast_era = era;
}

/// Returns whether the write is a part of the copy of a structure. A structure may be copied member by
/// member, including a member that is unused and was never set. The same thread has then written the
/// preceding member from the same line and column.
bool is_in_copied_structure(const Written& last) {
  if (last.address - last.region->begin < last.size) return false;
  const Mark write = last.region->at(last.address - 4).write;
  if (write.empty() || write.thread() != last.by.thread() || write.site() == last.by.site()) return false;
  const Line before = line_of(address_of(write.site()));
  const Line here = line_of(address_of(last.by.site()));
  return here.known() && before == here && here.column != 0 && before.column == here.column;
}

void Checker::report_unset() {
  const Written last = std::exchange(last_write_, Written{});
  const Uninterrupted whole(*current_fiber);  // the write may have taken the fast path
  if (is_in_copied_structure(last)) return;
  for (std::size_t at = 4; at < last.size; at += 4)
    if (*reinterpret_cast<const std::uint32_t*>(last.address + at) != unset_bytes_) return;
  for (const RulePtr& rule : rules_) rule->wrote_unset(last);
}

void Checker::outside_bounds(const CheckedPlace& place, const char* type, long long index) {
  const Uninterrupted whole(*current_fiber);
  const OutsideBounds event{running_block(), place, type, index};
  if (event.block == nullptr) expect_crash();  // the host may overwrite memory that it needs
  for (const RulePtr& rule : rules_) rule->outside_bounds(event);
}

void Checker::lane_absent(unsigned lane, std::uint32_t mask, const char* file, int line) {
  BlockState* const state = running_block();
  if (state == nullptr) return;
  const Uninterrupted whole(*current_fiber);
  for (const RulePtr& rule : rules_) rule->lane_absent(*state, lane, mask, line_of(SourceLine{file, line}));
}

/// Reports a misaligned pointer only if it points to memory that threads share. The host's compiler places
/// local variables, so their addresses prove nothing.
void Checker::misaligned(const MisalignedPointer& pointer) {
  BlockState* const running = running_block();
  if (running == nullptr) return;
  const Uninterrupted whole(*current_fiber);
  BlockState& state = *running;
  const ClusterState::Member* const member =
      state.cluster != nullptr ? state.cluster->at(pointer.address) : nullptr;
  Region* const region = state.arena->contains(pointer.address, 1)       ? state.arena.get()
                         : member != nullptr && member->state != nullptr ? member->state->arena.get()
                                                                         : map_.at(pointer.address);
  if (region == nullptr || region->retired() || site_of(pointer.place.pc) == 0) return;
  odd_pointer_ = pointer.address;
  odd_in_ = current_fiber;
  for (const RulePtr& rule : rules_) rule->misaligned(state, *region, pointer);
}

/// Orders accesses through memory: a thread that reads a flag or a counter acquires the knowledge that its
/// writer released by a fence.
void Checker::synchronise(BlockState& state, const BlockState& home, std::uintptr_t address, unsigned kind,
                          bool in_shared) {
  const unsigned thread = current_fiber->linear;
  const std::uint64_t channel = home.channel_of(address, in_shared);
  if ((kind & publishes) != 0) state.clocks.fence(thread);
  if ((kind & writes) == 0 || (kind & keeps_old) != 0) {
    const VectorClockPtr known = channels_.read(channel);
    state.clocks.learn(thread, known);
    // A thread that waits at a barrier object or for a counter may be ordered after only some threads of a
    // block, and so after only some of a cell's readers.
    if (in_shared && known != nullptr) state.clocks.parts_meet = true;
    if (!in_shared) {
      learn(*state.clocks.operation, address);
      looked_at_ = {state.clocks.operation, address};
    }
  }
  if ((kind & writes) != 0) {
    const VectorClockPtr published = state.clocks.published(thread).joined();
    if (!in_shared && published != nullptr) publish(address, state.clocks.era);
    channels_.write(channel, published, (kind & keeps_old) != 0);
  }
}

/// Releases knowledge through a flag between concurrent launches, or between a kernel and the host. A reader
/// of the flag acquires the knowledge of everything that ended before the flag was written.
void Checker::publish(std::uintptr_t flag, std::uint32_t era) {
  constexpr std::size_t most = 1u << 20;
  const std::lock_guard<std::mutex> lock(flags_mutex_);
  if (flags_.size() >= most) flags_.clear();
  Flag& mine = flags_[flag];
  if (mine.era != era || !in_kernel()) mine.knows = Timeline::get().knowledge();
  mine.era = era;
}

void Checker::learn(Operation& me, std::uintptr_t flag) {
  const std::lock_guard<std::mutex> lock(flags_mutex_);
  const auto found = flags_.find(flag);
  if (found != flags_.end()) Timeline::get().learn(me, found->second.era, found->second.knows);
}

/// Acquires from a flag again after it was read. An access is reported before it is done, and host code may
/// write the flag between the report and the access.
void Checker::learn_late() {
  const LookedAt last = std::exchange(looked_at_, LookedAt{});
  learn(*last.reader, last.flag);
}

/// Pauses a kernel that reads the same value repeatedly. The kernel probably waits for the host or for a kernel
/// of another stream, which can run during the pause. A busy machine does not wake threads at once, so the
/// pauses become longer and rarer. The polls of all kernels are counted together. The pauses never end, since
/// two kernels may answer each other by atomic functions alone.
void Checker::watch_polling(bool polls) {
  constexpr std::uint32_t patience = 1u << 12, now_and_then = 1u << 17;
  constexpr std::chrono::microseconds shortest(100), longest(10'000);
  if (!polls) polls_in_turn_ = 0;
  if (!polls || ++polls_in_turn_ < patience) return;
  const bool is_power_of_two = (polls_in_turn_ & (polls_in_turn_ - 1)) == 0;
  if (!is_power_of_two && polls_in_turn_ % now_and_then != 0) return;
  const std::uint32_t era = era_;
  const std::uint32_t first_era = first_era_;
  const LookedAt looked_at = looked_at_;
  ++suspended_;
  launches_.unlock();
  kernel_waits_for_host();
  std::this_thread::sleep_for(std::min(shortest * (polls_in_turn_ / patience), longest));
  launches_.lock();
  --suspended_;
  era_ = era;
  first_era_ = first_era;
  looked_at_ = looked_at;
}

/// Lets other threads run if this thread reads the same volatile variable repeatedly, since it waits for
/// them. Returns true if they have run.
bool Checker::gives_way(BlockState& state, std::uintptr_t address) {
  constexpr std::uint32_t patience = 16;
  if (state.last_polled != address) {
    state.last_polled = address;
    state.polls = 0;
  }
  if (++state.polls >= patience) {
    state.polls = 0;
    yield();
    state.last_polled = address;
    state.polls = 0;  // polls of other threads were counted, too; in any case this thread continues
    return true;
  }
  polled();
  return false;
}

void Checker::atomic_done(std::uintptr_t address, bool changed) {
  if (!is_shared(address)) return;
  if (!changed) return polled();
  vain_ = 0;
  if (polls_in_turn_ > 0) --polls_in_turn_;  // a counting thread is not waiting
}

/// Stops the kernel when the limit of polls is reached. A polling thread yields, so by then all other threads
/// have run many times.
void Checker::polled() {
  constexpr std::uint32_t limit = 1u << 22;
  if (++vain_ < limit) return;
  vain_ = 0;
  stop_kernel(cudaErrorLaunchTimeout,
              "livelock: a thread waits in a loop for memory to change, and no other thread does anything");
}

void Checker::fence() {
  if (BlockState* const state = running_block(); state != nullptr) state->clocks.fence(current_fiber->linear);
}

void Checker::enter_without_trace(const void* caller) {
  if (running_block() == nullptr) {
    if (!in_kernel()) trace_of_host.callers[trace_of_host.depth++ % Trace::size] = caller;
    return;
  }
  const Uninterrupted whole(*current_fiber);
  traces_.push_back(std::make_unique<Trace>());
  Trace& trace = *traces_.back();
  set_thread_data(checker_slot, &trace);
  trace.callers[trace.depth++ % Trace::size] = caller;
}

void Checker::leave_without_trace() {
  if (!in_kernel() && trace_of_host.depth > 0) --trace_of_host.depth;
}

void Checker::set_block_scope(bool on) {
  if (Trace* const trace = trace_of_thread()) trace->block_scope = on;
}

void Checker::set_updates(bool on) {
  if (Trace* const trace = trace_of_thread()) trace->updates = on;
}

}  // namespace cuemu::check
