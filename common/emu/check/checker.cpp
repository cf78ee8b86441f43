// Handles the runtime's events: updates the memory map and the clocks, and passes each event to the rules.
// Rules receive a begin event after the update; they receive an end event or a barrier before the update.
#include "checker.hpp"

#include <algorithm>

#include "naming.hpp"
#include "options.hpp"
#include "pointer_names.hpp"
#include "services.hpp"

namespace cuemu::check {

namespace {

RegionKind kind_of(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::device:
      return RegionKind::device;
    case MemoryKind::managed:
      return RegionKind::managed;
    case MemoryKind::pinned:
      return RegionKind::pinned;
    case MemoryKind::registered:
      return RegionKind::registered;
  }
  return RegionKind::device;
}

}  // namespace

Checker* Checker::make() {
  return instance_ = new Checker;
}

Checker::Checker() : rules_(make_rules(map_)) {
  unset_bytes_ = options().unset_bytes;
  epochs.prepare();
  if (!options().record.array.empty()) rules_.push_back(make_recorder(map_));
  if (options().trace != 0)  // first in the list, since a rule may stop the kernel at a stray access
    rules_.insert(rules_.begin(), make_tracer(map_));
  for (const RulePtr& rule : rules_)
    if (rule->wants_accesses()) access_rules_.push_back(rule.get());
}

// ---- launches

std::uint32_t Checker::begin_era(const LaunchView& launch) {
  Era era;
  era.doing = Doing::kernel;
  era.kernel = launch.kernel->info.name;
  era.grid = launch.grid;
  era.block = launch.block;
  return Timeline::get().begin_era(std::move(era), [this] { map_.forget(); });
}

void Checker::launch_begins(const LaunchView& launch) {
  launches_.lock();
  if (epochs.size() > Epochs::many && suspended_ == 0) {
    map_.forget();
    epochs.clear();
    quick_sites.forget();
    Timeline::get().forget_epochs();
  }
  first_era_ = era_ = begin_era(launch);
  if (suspended_ == 0) {
    channels_.clear();
    phases_.clear();
    for (const auto& trace : traces_) {
      trace->depth = 0;
      trace->block_scope = trace->updates = false;
    }
  }
  settled_ = settled_now();
  if (!launch.kernel->info.watched) {
    map_.mark_all_written();
    unwatched_.insert(launch.kernel->info.name);
  }
  begin_skipping();
  notify_rules(&Observer::launch_begins, launch);
}

/// The launch that begins happens after all epochs below the returned number.
std::uint32_t Checker::settled_now() {
  Timeline& timeline = Timeline::get();
  return timeline.knows_all(timeline.now()) ? static_cast<std::uint32_t>(epochs.size())
                                            : Epochs::outside_kernels + 1;
}

void Checker::launch_ends(const LaunchView& launch) {
  if (looked_at_.reader != nullptr) learn_late();
  see_last_write();  // of a block that was stopped
  notify_rules(&Observer::launch_ends, launch);
  const Busy busy;  // the current fiber still seems to be in a stopped kernel
  for (auto at = blocks_.begin(); at != blocks_.end();)
    if (at->second->launch == &launch) {  // the kernel was stopped, and the block dropped
      for (const RulePtr& rule : rules_) rule->block_abandoned(at->first);
      at = blocks_.erase(at);
    } else {
      ++at;
    }
  launches_.unlock();
}

void Checker::launch_refused(const LaunchView& launch, cudaError_t error, const std::string& why) {
  notify_rules(&Observer::launch_refused, launch, error, why);
}

void Checker::grid_synchronised(const LaunchView& launch, std::uint64_t gone) {
  notify_rules(&Observer::grid_synchronised, launch, gone);
  era_ = begin_era(launch);
  settled_ = settled_now();
  for (auto& [block, state] : blocks_)
    if (state->launch == &launch) {
      if (const SourceLine* const where = block.first_at_grid_barrier(); where != nullptr) {
        state->barriers.passed(where->file, where->line);
        state->grid_barriers.passed(where->file, where->line);
      }
      state->clocks.grid_barrier(era_);
      state->settled = settled_;
    }
}

// ---- blocks

void Checker::block_begins(BlockView block) {
  vain_ = 0;
  std::unique_ptr<BlockState>& state = blocks_[block];
  if (state == nullptr) state = std::make_unique<BlockState>();
  const LaunchView& launch = block.launch();
  state->launch = &launch;
  state->first_era = first_era_;
  state->settled = settled_;
  state->closure_begin = reinterpret_cast<std::uintptr_t>(launch.closure);
  state->self_begin = block.own_begin();
  state->self_bytes = block.own_bytes();
  state->closure_bytes = launch.kernel->closure_bytes;
  state->clocks.operation = &Timeline::get().now();
  state->clocks.begin(era_, block.number(), block.threads());
  state->cluster = nullptr;
  state->visits.clear();
  state->barriers.clear();
  state->cluster_barriers.clear();
  state->grid_barriers.clear();
  state->mbarriers.begin(block.threads());
  const SharedRange shared = block.shared();
  const std::uintptr_t begin = shared.begin;
  const std::size_t bytes = shared.bytes;
  if (state->arena == nullptr || state->arena->begin != begin || state->arena->bytes != bytes)
    state->arena = std::make_unique<Region>(RegionKind::shared, begin, bytes);
  else
    state->forget_shared();  // the memory may contain data of other blocks
  std::unique_ptr<SharedLayout>& layout = layouts_[launch.kernel];
  if (layout == nullptr) layout = std::make_unique<SharedLayout>();
  layout->owner.resize(bytes / 4);
  state->dynamic_begin = shared.dynamic_begin;
  state->dynamic_end = shared.dynamic_begin + shared.dynamic_bytes;
  layout->set_dynamic((state->dynamic_begin - begin) / 4, (state->dynamic_end - begin) / 4);
  state->layout = layout.get();
  state->owner = layout->owner.data();
  state->arena_begin = begin;
  state->arena_bytes = bytes;
  block.set_data(checker_slot, state.get());
  notify_rules(&Observer::block_begins, block);
  state->every_access =
      std::any_of(access_rules_.begin(), access_rules_.end(),
                  [&](const RuleObserver* rule) { return rule->wants_every_access(block); });
}

void Checker::block_ends(BlockView block) {
  vain_ = 0;
  see_last_write();
  notify_rules(&Observer::block_ends, block);
  auto& state = *block.data<BlockState>(checker_slot);
  if (state.cluster != nullptr) {
    end_visits(state);
    for (ClusterState::Member& member : state.cluster->members)
      if (member.state == &state) {
        member.state = nullptr;
        member.last = state.clocks.clock + 1;
      }
  }
  block.set_data(checker_slot, nullptr);
}

/// Checks other blocks' accesses to a block's shared memory when that block ends. The memory ends with the
/// block, so the accesses must happen before.
void Checker::end_visits(BlockState& home) {
  for (const auto& [who, visit] : home.visits) {
    if (home.clocks.saw_by_any(visit.stamp)) continue;
    const Unawaited event{home, true, visit.stamp, visit.address, visit.size, visit.kind};
    for (const RulePtr& rule : rules_) rule->unawaited(event);
  }
}

void Checker::cluster_begins(const std::vector<BlockView>& blocks) {
  const auto cluster = std::make_shared<ClusterState>();
  cluster->barrier = blocks.front().cluster_barrier();
  for (const BlockView& block : blocks) {
    auto& state = *block.data<BlockState>(checker_slot);
    state.cluster = cluster;
    state.every_access = true;  // the fast path does not know the order between blocks
    cluster->members.push_back({&state, state.clocks.block, 0, state.arena_begin, state.arena_bytes});
  }
  // The barrier replaces an earlier cluster's barrier at the same address.
  phases_.begin(reinterpret_cast<std::uintptr_t>(cluster->barrier));
  notify_rules(&Observer::cluster_begins, blocks);
}

void Checker::cluster_synchronised(const std::vector<BlockView>& blocks, unsigned gone, bool by_halves) {
  vain_ = 0;
  notify_rules(&Observer::cluster_synchronised, blocks, gone, by_halves);
  if (blocks.empty()) return;
  std::vector<BlockClocks*> clocks;
  std::vector<ClockEntry> ended;
  const ClusterState& cluster = *blocks.front().data<BlockState>(checker_slot)->cluster;
  if (by_halves) return phases_.end(reinterpret_cast<std::uintptr_t>(cluster.barrier));
  for (const BlockView& block : blocks) {
    auto& state = *block.data<BlockState>(checker_slot);
    if (const SourceLine* const where = block.first_at_cluster_barrier(); where != nullptr) {
      state.barriers.passed(where->file, where->line);
      state.cluster_barriers.passed(where->file, where->line);
    }
    clocks.push_back(&state.clocks);
  }
  for (const ClusterState::Member& member : cluster.members)
    if (member.state == nullptr) ended.push_back({VectorClock::whole_block(member.block), member.last});
  BlockClocks::cluster_barrier(clocks, ended);
}

/// Empties the cells of the block's shared variables. Accesses to the rest of the arena are not recorded.
void BlockState::forget_shared() {
  std::size_t end = 0;
  for (const SharedArray& array : layout->arrays)
    end = std::max<std::size_t>(end, array.offset + array.bytes);
  arena->forget(0, end);
  if (dynamic_end > dynamic_begin) arena->forget(dynamic_begin - arena_begin, dynamic_end - dynamic_begin);
}

void SharedLayout::set_dynamic(std::size_t first, std::size_t last) {
  if (first == dynamic_begin && last == dynamic_end) return;
  std::replace(owner.begin(), owner.end(), dynamic, std::uint8_t{0});
  for (std::size_t word = first; word < last; ++word) owner[word] = dynamic;
  dynamic_begin = first;
  dynamic_end = last;
}

void Checker::shared_placed(BlockView block, const char* description, std::uint32_t offset,
                            std::uint32_t bytes) {
  const Uninterrupted whole(*current_fiber);  // allocations here are not the kernel's
  auto& layout = *block.data<BlockState>(checker_slot)->layout;
  for (const SharedArray& known : layout.arrays)
    if (known.offset == offset) return;
  SharedArray array = describe_shared(description);
  array.offset = offset;
  array.bytes = bytes;
  layout.arrays.push_back(std::move(array));
  if (layout.arrays.size() > SharedLayout::most_arrays) return;
  const auto number = static_cast<std::uint8_t>(layout.arrays.size());
  for (std::uint32_t word = offset / 4; word < (offset + bytes + 3) / 4; ++word) layout.owner[word] = number;
  notify_rules(&Observer::shared_placed, block, description, offset, bytes);
}

void Checker::block_synchronised(BlockView block) {
  vain_ = 0;
  notify_rules(&Observer::block_synchronised, block);
  auto& state = *block.data<BlockState>(checker_slot);
  if (const SourceLine* const where = block.first_at_barrier(); where != nullptr)
    state.barriers.passed(where->file, where->line);
  state.clocks.block_barrier();
}

void Checker::warp_synchronised(BlockView block, unsigned warp, std::uint32_t lanes) {
  notify_rules(&Observer::warp_synchronised, block, warp, lanes);
  block.data<BlockState>(checker_slot)->clocks.warp_barrier(warp, lanes, lanes == block.lanes(warp).active());
}

void Checker::group_synchronised(BlockView block, const std::vector<WaitingThread>& members) {
  notify_rules(&Observer::group_synchronised, block, members);
  std::vector<unsigned> threads;
  for (const WaitingThread& each : members) threads.push_back(each.thread);
  block.data<BlockState>(checker_slot)->clocks.group_barrier(threads);
}

namespace {
/// The key of a barrier, and the kind of memory that contains it.
struct BarrierKey {
  std::uint64_t key;
  bool is_global;  ///< the barrier is in memory that all blocks share
  bool is_remote;  ///< the barrier is in another block's shared memory, or is the cluster's
};

/// Returns the key of a barrier. A barrier in shared memory, or in the runtime's state of a block, belongs to
/// that block.
BarrierKey key_of(const BlockState& state, const void* barrier) {
  const auto address = reinterpret_cast<std::uintptr_t>(barrier);
  if (state.arena->contains(address, 1) || address - state.self_begin < state.self_bytes)
    return {state.channel_of(address, true), false, false};
  if (state.cluster != nullptr) {
    if (barrier == state.cluster->barrier) return {address, false, true};
    const ClusterState::Member* const home = state.cluster->at(address);
    if (home != nullptr && home->state != nullptr)
      return {home->state->channel_of(address, true), false, true};
  }
  return {address, true, false};
}
std::uint64_t phases_of(const BlockState& state, const void* barrier) {
  return key_of(state, barrier).key;
}
}  // namespace

void Checker::barrier_arrived(BlockView block, const void* barrier, std::uint32_t thread) {
  arrive(block, barrier, thread);
  notify_rules(&Observer::barrier_arrived, block, barrier, thread);
}

void Checker::barrier_phase_ends(BlockView block, const void* barrier) {
  phases_.end(phases_of(*block.data<BlockState>(checker_slot), barrier));
  notify_rules(&Observer::barrier_phase_ends, block, barrier);
}

void Checker::barrier_passed(BlockView block, const void* barrier) {
  pass(block, barrier);
  notify_rules(&Observer::barrier_passed, block, barrier);
}

/// Records an arrival. Threads that wait for the phase acquire everything that `thread` has done so far.
void Checker::arrive(BlockView block, const void* barrier, unsigned thread) {
  auto& state = *block.data<BlockState>(checker_slot);
  const BarrierKey at = key_of(state, barrier);
  state.clocks.fence(thread);
  phases_.arrive(at.key, state.clocks.published(thread));
  // The barrier's block may continue before all of its own threads have arrived.
  state.clocks.parts_meet |= at.is_remote;
  if (at.is_global) publish(reinterpret_cast<std::uintptr_t>(barrier), state.clocks.era);
}

/// The calling thread acquires from all threads that arrived in the last ended phase, or earlier.
void Checker::pass(BlockView block, const void* barrier) {
  auto& state = *block.data<BlockState>(checker_slot);
  const BarrierKey at = key_of(state, barrier);
  const VectorClockPtr known = phases_.over(at.key);
  state.clocks.learn(current_fiber->linear, known);
  // The thread may be ordered after only some threads of the block, and so after only some of a cell's
  // readers.
  if (!at.is_global) {
    state.clocks.parts_meet |= known != nullptr;
  } else {
    const auto address = reinterpret_cast<std::uintptr_t>(barrier);
    learn(*state.clocks.operation, address);
    looked_at_ = {state.clocks.operation, address};
  }
}

void Checker::mbarrier_made(BlockView block, const void* barrier) {
  const Uninterrupted whole(*current_fiber);
  auto& state = *block.data<BlockState>(checker_slot);
  state.mbarriers.made(reinterpret_cast<std::uintptr_t>(barrier));
  phases_.begin(phases_of(state, barrier));
  notify_rules(&Observer::mbarrier_made, block, barrier);
}

void Checker::mbarrier_arrived(BlockView block, const void* barrier) {
  const Uninterrupted whole(*current_fiber);
  auto& state = *block.data<BlockState>(checker_slot);
  if (!key_of(state, barrier).is_remote)  // threads of another block meet at a remote barrier
    state.mbarriers.arrived(reinterpret_cast<std::uintptr_t>(barrier), current_fiber->linear,
                            state.clocks.clock);
  arrive(block, barrier, current_fiber->linear);
  notify_rules(&Observer::mbarrier_arrived, block, barrier);
}

/// Handles the end of a phase. The barrier's completion function runs when all threads have arrived.
void Checker::mbarrier_filled(BlockView block, const void* barrier) {
  const Uninterrupted whole(*current_fiber);
  phases_.end(phases_of(*block.data<BlockState>(checker_slot), barrier));
  pass(block, barrier);
  notify_rules(&Observer::mbarrier_filled, block, barrier);
}

void Checker::mbarrier_phase_ends(BlockView block, const void* barrier) {
  const Uninterrupted whole(*current_fiber);
  // The completion function's work happens before all waiting threads continue.
  arrive(block, barrier, current_fiber->linear);
  phases_.end(phases_of(*block.data<BlockState>(checker_slot), barrier));
  notify_rules(&Observer::mbarrier_phase_ends, block, barrier);
}

void Checker::mbarrier_counts(BlockView block, bool on) {
  counting_ = on ? current_fiber : nullptr;
  notify_rules(&Observer::mbarrier_counts, block, on);
}

void Checker::mbarrier_waited(BlockView block, const void* barrier) {
  const Uninterrupted whole(*current_fiber);
  auto& state = *block.data<BlockState>(checker_slot);
  state.mbarriers.waited(reinterpret_cast<std::uintptr_t>(barrier), current_fiber->linear,
                         state.clocks.clock);
  pass(block, barrier);
  notify_rules(&Observer::mbarrier_waited, block, barrier);
}

void Checker::async_copied(BlockView block, const void* destination, std::size_t bytes, const void* pc) {
  const Uninterrupted whole(*current_fiber);
  see_last_write();
  auto& state = *block.data<BlockState>(checker_slot);
  // Every later access to the copied memory must be checked.
  state.every_access = true;
  state.clocks.leave_fast_path();
  const AsyncCopy copy{state, reinterpret_cast<std::uintptr_t>(destination), bytes, site_of(pc),
                       current_fiber->linear};
  for (const RulePtr& rule : rules_) rule->copied_asynchronously(copy);
}

void Checker::async_committed(BlockView block) {
  notify_rules(&Observer::async_committed, block);
}

void Checker::async_waited(BlockView block, std::size_t prior) {
  notify_rules(&Observer::async_waited, block, prior);
}

void Checker::block_deadlocked(BlockView block) {
  notify_rules(&Observer::block_deadlocked, block);
}

void Checker::kernel_stopped(const char* why) {
  notify_rules(&Observer::kernel_stopped, why);
}

void Checker::kernel_faulted(const KernelFault& fault) {
  const Uninterrupted whole(*current_fiber);  // allocations here are not the kernel's
  notify_rules(&Observer::kernel_faulted, fault);
}

// ---- memory

void Checker::allocated(const Allocation& made) {
  auto region = std::make_unique<Region>(kind_of(made.kind), made.begin, made.bytes);
  region->number = made.number;
  region->made_at = call_stack();
  note_allocation(region->made_at);
  region->of_runtime = region->is_heap = in_kernel();
  region->initialised = made.kind != MemoryKind::device;  // the host writes to others unobserved
  map_.add(std::move(region));
  notify_rules(&Observer::allocated, made);
}

void Checker::freed(const Allocation& allocation) {
  if (in_kernel()) see_last_write();  // the last write may have been to this memory
  notify_rules(&Observer::freed, allocation);
  map_.freed(allocation.begin);
}

void Checker::heap_given(const void* memory, std::size_t bytes) {
  map_.heap_given(reinterpret_cast<std::uintptr_t>(memory), bytes);
  notify_rules(&Observer::heap_given, memory, bytes);
}

void Checker::heap_freed(const void* memory) {
  if (in_kernel()) see_last_write();  // the last write may have been to this memory
  map_.heap_freed(reinterpret_cast<std::uintptr_t>(memory));
  notify_rules(&Observer::heap_freed, memory);
}

void Checker::free_refused(const void* pointer) {
  notify_rules(&Observer::free_refused, pointer);
}

void Checker::symbol_known(const char* name, VariableKind kind, const volatile void* address,
                           std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(const_cast<const void*>(address));
  {
    const std::lock_guard<std::mutex> lock(map_.mutex);
    if (const Region* known = map_.beginning_at(begin); known != nullptr && !known->retired()) return;
  }
  auto region = std::make_unique<Region>(
      kind == VariableKind::managed ? RegionKind::managed : RegionKind::symbol, begin, bytes);
  region->name = name;
  region->constant = kind == VariableKind::constant;
  region->of_runtime = true;
  region->initialised = true;
  map_.add(std::move(region));
  notify_rules(&Observer::symbol_known, name, kind, address, bytes);
}

void Checker::pitched(const void* memory, std::size_t width, std::size_t pitch) {
  Region* const region = map_.at(reinterpret_cast<std::uintptr_t>(memory));
  if (region == nullptr) return;
  region->width = width;
  region->pitch = pitch;
}

void Checker::host_touched_device(std::uintptr_t address, const void* instruction) {
  notify_rules(&Observer::host_touched_device, address, instruction);
}

void Checker::copied(const CopyView& plan) {
  notify_rules(&Observer::copied, plan);
  const Region* const from = map_.at(reinterpret_cast<std::uintptr_t>(plan.from.at));
  Region* const to = map_.at(reinterpret_cast<std::uintptr_t>(plan.to.at));
  if (to != nullptr && (from == nullptr || from->for_host())) to->from_host = true;
  for (std::size_t z = 0; z < plan.box.depth; ++z)
    for (std::size_t y = 0; y < plan.box.height; ++y)
      map_.mark_written(plan.to.at + z * plan.to.slice + y * plan.to.row, plan.box.width);
}

void Checker::filled(const FillView& plan) {
  notify_rules(&Observer::filled, plan);
  for (std::size_t z = 0; z < plan.box.depth; ++z)
    for (std::size_t y = 0; y < plan.box.height; ++y)
      map_.mark_written(plan.to.at + z * plan.to.slice + y * plan.to.row, plan.box.width);
}

void Checker::copy_refused(const CopyView& plan, cudaError_t error) {
  notify_rules(&Observer::copy_refused, plan, error);
}

// ---- order

void Checker::operation_queued(const StreamView& stream, Marker& end, const std::vector<MarkerPtr>& after) {
  Timeline::get().queued(stream, end, after);
  notify_rules(&Observer::operation_queued, stream, end, after);
}

void Checker::operation_begins(Marker& end) {
  Timeline::get().begins(end);
  notify_rules(&Observer::operation_begins, end);
}

void Checker::operation_ends() {
  notify_rules(&Observer::operation_ends);
  Timeline::get().ends();
}

void Checker::host_function_begins() {
  Timeline::get().host_function_begins();
  notify_rules(&Observer::host_function_begins);
}

void Checker::graph_node_begins(std::size_t place, const std::vector<std::size_t>& after) {
  Timeline::get().node_begins(place, after);
  notify_rules(&Observer::graph_node_begins, place, after);
}

void Checker::graph_ends() {
  notify_rules(&Observer::graph_ends);
  Timeline::get().graph_ends();
}

void Checker::child_given(const LaunchView& child) {
  const Uninterrupted whole(*current_fiber);
  notify_rules(&Observer::child_given, child);
}

void Checker::child_launched(cudaStream_t stream, ToolData& kept) {
  const Uninterrupted whole(*current_fiber);
  auto& state = *running_block();
  const unsigned thread = current_fiber->linear;
  auto point = std::make_shared<LaunchPoint>();
  point->first_era = state.first_era;
  point->era = state.clocks.era;
  state.clocks.fence(thread);  // the thread's later operations do not happen before the grid
  point->known = state.clocks.published(thread).joined();
  point->block = state.clocks.block;
  point->stream = stream;
  point->is_ordered = stream != cudaStreamFireAndForget;
  point->is_tail = stream == cudaStreamTailLaunch;
  point->stack = call_stack();
  point->above = state.clocks.operation->launched_at;
  kept[checker_slot] = std::move(point);
}

void Checker::child_begins(const ToolData& kept) {
  Timeline::get().child_begins(std::static_pointer_cast<const LaunchPoint>(kept[checker_slot]));
  notify_rules(&Observer::child_begins, kept);
}

void Checker::child_ends() {
  notify_rules(&Observer::child_ends);
  Timeline::get().child_ends();
}

void Checker::children_ended() {
  Timeline::get().children_ended();
  notify_rules(&Observer::children_ended);
}

void Checker::event_recorded(Marker& end) {
  Timeline::get().recorded(end);
  notify_rules(&Observer::event_recorded, end);
}

void Checker::waited(const Marker& end) {
  Timeline::get().waited(end);
  notify_rules(&Observer::waited, end);
}

void Checker::waited_for_device() {
  Timeline::get().waited_for_all();
  notify_rules(&Observer::waited_for_device);
}

void Checker::events_compared(const Marker& start, const Marker& end) {
  notify_rules(&Observer::events_compared, start, end);
}

void Checker::clock_read(const void* pc) {
  const Site site = in_kernel() ? 0 : sites_.at(pc);
  if (site == 0 || Busy::now()) return;
  for (const RulePtr& rule : rules_) rule->clock_read(site);
}

void Checker::error_returned(cudaError_t error) {
  notify_rules(&Observer::error_returned, error);
}

void Checker::fill_asked(const FillView& plan, int value) {
  notify_rules(&Observer::fill_asked, plan, value);
}
void Checker::fill_refused(const FillView& plan, cudaError_t error) {
  notify_rules(&Observer::fill_refused, plan, error);
}

void Checker::error_asked() {
  notify_rules(&Observer::error_asked);
}

}  // namespace cuemu::check
