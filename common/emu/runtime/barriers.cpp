// Barriers of a block, a warp and a grid, and their completion when a thread returns.
//
// The last thread to arrive releases all threads, including itself, in the order of arrival. So after each barrier,
// threads continue in the order of their indices, in every run. A released warp continues before other threads, so that
// warps run one after another from one block barrier to the next, as in emucc's loops.
#include <utility>
#include <vector>

#include "cuemu/device.hpp"
#include "observer.hpp"
#include "report.hpp"
#include "worker.hpp"

namespace cuemu {

namespace {

__attribute__((always_inline)) inline void go_to_next(Fiber& me) {
  Block& block = *me.block;
  Fiber* next = block.ready.pop();
  if (next == &me) return;
  if (next == nullptr)
    next = block.next_thread < block.thread_count ? &block.worker->fresh_fiber(block)
                                                  : &block.worker->scheduler();
  switch_fiber(me, *next);
}

constexpr std::uint32_t turn = 64;  ///< turns that a block may use before another block runs
/// The number of times in succession that a warp may run before other warps run. The warp may be waiting in a loop.
constexpr std::uint32_t warp_turn = 8192;

void release(Block& block) {
  BlockBarrier& barrier = block.barrier;
  notify(&Observer::block_synchronised, BlockView(block));
  barrier.count = barrier.gathered;
  barrier.all = barrier.gathered == barrier.threads;
  barrier.arrived = barrier.gathered = barrier.threads = 0;
  block.ready.splice(barrier.waiting);
}

[[noreturn]] void no_kernel(const char* what) {
  fatal(what);
}

/// Stops a kernel that waits although emucc split it, or compiled it to a plain loop, because it found no waiting call.
[[noreturn]] void cannot_wait() {
  stop_kernel(cudaErrorLaunchFailure,
              "a function that it calls waits for other threads, which emucc did not see: compile with "
              "--no-fission");
}

__attribute__((always_inline)) inline void arrive(int predicate, SourceLine where,
                                                  Wait why = Wait::block_barrier) {
  Fiber& me = *current_fiber;
  const Uninterrupted whole(me);
  Block& block = *me.block;
  if (__builtin_expect(block.launch == nullptr, 0)) no_kernel("__syncthreads() was called outside a kernel");
  if (__builtin_expect(block.whole, 0)) cannot_wait();
  BlockBarrier& barrier = block.barrier;
  ++barrier.threads;
  barrier.gathered += predicate != 0;
  me.promoted = true;
  me.wait = why;
  me.where = where;
  if (barrier.waiting.empty()) {
    barrier.first = where;
    barrier.apart = false;
  } else {
    barrier.apart |= where.line != barrier.first.line || where.file != barrier.first.file;
  }
  barrier.waiting.push(&me);
  if (++barrier.arrived == block.thread_count - block.finished) release(block);
  go_to_next(me);
}

/// Releases the lanes of `mask` if all of them that have not returned wait with exactly this mask.
bool release_warp(Block& block, WarpState& warp, std::uint32_t mask) {
  const std::uint32_t needed = mask & warp.populated & ~warp.exited;
  if (needed == 0 || (warp.arrived & needed) != needed) return false;
  for (std::uint32_t rest = needed; rest != 0; rest &= rest - 1)
    if (warp.waiting[__builtin_ctz(rest)]->wait_mask != mask) return false;
  FiberList lanes;
  for (std::uint32_t rest = needed; rest != 0; rest &= rest - 1)
    lanes.push(warp.waiting[__builtin_ctz(rest)]);
  if ((warp.released + 1) % warp_turn == 0)
    block.ready.splice(lanes);
  else
    block.ready.splice_front(lanes);
  notify(&Observer::warp_synchronised, BlockView(block), static_cast<unsigned>(&warp - block.warps), needed);
  warp.arrived &= ~needed;
  ++warp.released;
  block.warp_waiters -= static_cast<std::uint32_t>(__builtin_popcount(needed));
  return true;
}

}  // namespace

void switch_away(Fiber& me) {
  go_to_next(me);
}

void block_barrier(SourceLine where) {
  arrive(0, where);
}

int block_barrier_count(int predicate, SourceLine where) {
  arrive(predicate, where);
  return static_cast<int>(current_fiber->block->barrier.count);
}

int block_barrier_and(int predicate, SourceLine where) {
  arrive(predicate, where);
  return current_fiber->block->barrier.all ? 1 : 0;
}

int block_barrier_or(int predicate, SourceLine where) {
  arrive(predicate, where);
  return current_fiber->block->barrier.count != 0 ? 1 : 0;
}

void warp_barrier(std::uint32_t mask, SourceLine where) {
  Fiber& me = *current_fiber;
  const Uninterrupted whole(me);
  Block& block = *me.block;
  if (block.launch == nullptr) no_kernel("a warp function was called outside a kernel");
  if (__builtin_expect(block.whole, 0)) cannot_wait();
  WarpState& warp = warp_state();
  const unsigned my_lane = lane();
  me.promoted = true;
  me.wait = Wait::warp_barrier;
  me.wait_mask = mask;
  me.where = where;
  warp.waiting[my_lane] = &me;
  warp.arrived |= 1u << my_lane;
  ++block.warp_waiters;
  release_warp(block, warp, mask);
  go_to_next(me);
}

namespace {

void check_grid_barrier(const Block& block) {
  if (block.launch == nullptr) no_kernel("a grid's sync() was called outside a kernel");
  if (__builtin_expect(block.whole, 0)) cannot_wait();
  if (!block.launch->cooperative)
    stop_kernel(cudaErrorLaunchFailure,
                "grid.sync() needs a cooperative launch: use cudaLaunchCooperativeKernel");
}

void wait_in(FiberList& list, Fiber& me, Wait why, SourceLine where) {
  me.promoted = true;
  me.wait = why;
  me.where = where;
  ++me.block->outer_waiters;
  list.push(&me);
  go_to_next(me);
}

[[noreturn]] void arrives_twice() {
  stop_kernel(
      cudaErrorLaunchFailure,
      "a thread calls barrier_arrive() a second time before barrier_wait(): each arrival needs its wait");
}

[[noreturn]] void waits_unarrived() {
  stop_kernel(cudaErrorLaunchFailure, "a thread calls barrier_wait() without a barrier_arrive() before it");
}

}  // namespace

void grid_barrier(SourceLine where) {
  Fiber& me = *current_fiber;
  const Uninterrupted whole(me);
  check_grid_barrier(*me.block);
  if (me.at_grid) arrives_twice();
  wait_in(resident_of(*me.block).grid_waiting, me, Wait::grid_barrier, where);
}

// The calling thread waits until all threads of its block have arrived, because cooperative groups synchronise the
// block before they count its arrival.
void grid_barrier_arrive(SourceLine where) {
  Fiber& me = *current_fiber;
  const Uninterrupted whole(me);
  check_grid_barrier(*me.block);
  if (me.at_grid) arrives_twice();
  me.at_grid = true;
  Resident& resident = resident_of(*me.block);
  ++resident.joining;
  wait_in(resident.grid_joining, me, Wait::grid_barrier, where);
}

void grid_barrier_wait(SourceLine where) {
  Fiber& me = *current_fiber;
  const Uninterrupted whole(me);
  check_grid_barrier(*me.block);
  if (!me.at_grid) waits_unarrived();
  me.at_grid = false;
  wait_in(resident_of(*me.block).grid_waiting, me, Wait::grid_barrier, where);
}

namespace {

RunningCluster& cluster_of(const Block& block) {
  return static_cast<RunningCluster&>(*block.cluster);
}

/// Returns the current phase of the barrier of the block's cluster.
std::uint32_t& phase_of(Block& block) {
  return block.cluster != nullptr ? cluster_of(block).phase : resident_of(block).phase_alone;
}

/// Returns the address by which tools identify this barrier.
const void* barrier_of(Block& block) {
  return block.cluster != nullptr ? static_cast<const void*>(block.cluster) : &resident_of(block).phase_alone;
}

/// Returns whether a thread has arrived in that phase without waiting at once. If so, tools get an event for each
/// thread; otherwise they get one event when all threads meet.
bool& has_halves(const Block& block, std::uint32_t phase) {
  return block.cluster != nullptr ? cluster_of(block).has_halves[phase % 2]
                                  : resident_of(const_cast<Block&>(block)).cluster_halves;
}

void check_cluster_barrier(const Block& block) {
  if (block.launch == nullptr) no_kernel("a cluster's barrier was called outside a kernel");
  if (__builtin_expect(block.whole, 0)) cannot_wait();
}

void arrive_in_cluster(Fiber& me) {
  if (me.cluster_phase != 0) arrives_twice();
  me.promoted = true;  // it needs its fiber, which stores the phase
  me.cluster_phase = phase_of(*me.block);
  ++resident_of(*me.block).cluster_arrived;
  if (has_halves(*me.block, me.cluster_phase))
    notify(&Observer::barrier_arrived, BlockView(*me.block), barrier_of(*me.block), me.linear);
}

/// Lets the thread continue after the end of the phase in which it has arrived.
void pass_cluster(Fiber& me) {
  const std::uint32_t phase = std::exchange(me.cluster_phase, 0);
  if (has_halves(*me.block, phase))
    notify(&Observer::barrier_passed, BlockView(*me.block), barrier_of(*me.block));
}

void wait_for_cluster(Fiber& me, SourceLine where) {
  Block& block = *me.block;
  Resident& resident = resident_of(block);
  if (me.cluster_phase != phase_of(block)) {  // the phase has ended: queue after the earlier waiting threads
    me.wait = Wait::cluster_barrier;
    me.where = where;
    block.ready.push(&me);
    go_to_next(me);
  } else {
    ++resident.cluster_waiters;
    wait_in(resident.cluster_waiting, me, Wait::cluster_barrier, where);
  }
  pass_cluster(me);
}

/// Called when a thread arrives without waiting at once. In a cluster, tools now get an event for each thread that
/// already waits. In a block without a cluster, threads in sync() wait at a barrier of the block; they now count as
/// split arrivals, too.
void begin_halves(Block& block) {
  Resident& resident = resident_of(block);
  if (std::exchange(has_halves(block, phase_of(block)), true)) return;
  if (block.cluster != nullptr) {
    for (Block* const member : block.cluster->blocks)
      for (const Fiber* fiber = member != nullptr ? resident_of(*member).cluster_waiting.head : nullptr;
           fiber != nullptr; fiber = fiber->next)
        notify(&Observer::barrier_arrived, BlockView(*member), barrier_of(block), fiber->linear);
    return;
  }
  FiberList others;
  while (Fiber* const fiber = block.barrier.waiting.pop()) {
    if (fiber->wait != Wait::cluster_barrier) {
      others.push(fiber);
      continue;
    }
    --block.barrier.arrived;
    --block.barrier.threads;
    ++resident.cluster_arrived;
    ++resident.cluster_waiters;
    ++block.outer_waiters;
    fiber->cluster_phase = resident.phase_alone;
    notify(&Observer::barrier_arrived, BlockView(block), barrier_of(block), fiber->linear);
    resident.cluster_waiting.push(fiber);
  }
  block.barrier.waiting = others;
}

/// Notifies tools that all threads of a cluster that have not returned have arrived at its barrier.
void report_cluster(const Block& block) {
  std::vector<BlockView> members;
  unsigned gone = 0;
  const dim3& dim = block.cluster->dim;
  for (unsigned rank = 0; rank < dim.x * dim.y * dim.z; ++rank) {
    Block* const member = block.cluster->blocks[rank];
    if (member != nullptr && member->finished != member->thread_count)
      members.emplace_back(*member);
    else
      ++gone;
  }
  const bool by_halves = has_halves(block, cluster_of(block).phase);
  notify(&Observer::cluster_synchronised, members, gone, by_halves);
}

}  // namespace

bool complete_cluster_phase(Block& block) {
  bool any = false;
  const auto all_have_arrived = [&any](const Block& one) {
    const unsigned arrived = resident_of(const_cast<Block&>(one)).cluster_arrived;
    any |= arrived != 0;
    return arrived == one.thread_count - one.finished;
  };
  const auto let_go = [](Block& one) {
    Resident& resident = resident_of(one);
    one.outer_waiters -= resident.cluster_waiters;
    resident.cluster_waiters = resident.cluster_arrived = 0;
    one.ready.splice(resident.cluster_waiting);
  };
  if (!all_have_arrived(block)) return false;
  if (block.cluster != nullptr)
    for (const Block* const member : block.cluster->blocks)
      if (member != nullptr && !all_have_arrived(*member)) return false;
  if (!any) return false;
  if (block.cluster == nullptr)
    notify(&Observer::barrier_phase_ends, BlockView(block), barrier_of(block));
  else if (is_observed())
    report_cluster(block);
  std::uint32_t& phase = phase_of(block);
  phase = phase == ~0u ? 2 : phase + 1;  // 0 means none
  if (block.cluster == nullptr) {
    let_go(block);
    return true;
  }
  has_halves(block, phase) = false;
  for (Block* const member : block.cluster->blocks)
    if (member != nullptr) let_go(*member);
  return true;
}

void cluster_barrier(SourceLine where) {
  Fiber& me = *current_fiber;
  const Uninterrupted whole(me);
  Block& block = *me.block;
  check_cluster_barrier(block);
  if (block.cluster == nullptr && !resident_of(block).cluster_halves) {
    arrive(0, where, Wait::cluster_barrier);
    if (me.cluster_phase != 0) pass_cluster(me);  // meanwhile other threads made a split arrival
    return;
  }
  arrive_in_cluster(me);
  Resident& resident = resident_of(block);
  me.promoted = true;
  me.wait = Wait::cluster_barrier;
  me.where = where;
  ++block.outer_waiters;
  ++resident.cluster_waiters;
  resident.cluster_waiting.push(&me);
  complete_cluster_phase(block);
  go_to_next(me);
  pass_cluster(me);
}

void cluster_barrier_arrive() {
  Fiber& me = *current_fiber;
  const Uninterrupted whole(me);
  check_cluster_barrier(*me.block);
  begin_halves(*me.block);
  arrive_in_cluster(me);
  complete_cluster_phase(*me.block);
}

void cluster_barrier_wait(SourceLine where) {
  Fiber& me = *current_fiber;
  const Uninterrupted whole(me);
  check_cluster_barrier(*me.block);
  if (me.cluster_phase == 0) waits_unarrived();
  wait_for_cluster(me, where);
}

namespace {

/// Lets other threads run; uses up `share` of the block's turn.
void give_way(Fiber& me, Wait why, std::uint32_t share) {
  Block& block = *me.block;
  Resident& resident = resident_of(block);
  const bool alone = block.ready.empty() && block.next_thread >= block.thread_count;
  me.promoted = true;
  me.wait = why;
  block.ready.push(&me);
  resident.yields += share;
  if (alone || resident.yields >= turn) {  // let other blocks run
    resident.yields = 0;
    switch_fiber(me, block.worker->scheduler());
  } else if (block.next_thread < block.thread_count) {
    switch_fiber(me, block.worker->fresh_fiber(block));
  } else {
    go_to_next(me);
  }
}

}  // namespace

void yield() {
  Fiber& me = *current_fiber;
  if (me.block->launch == nullptr || me.block->whole) return;
  const Uninterrupted whole(me);
  me.instruction = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1;
  give_way(me, Wait::yielded, turn / 64);
}

bool yield_within_block() {
  Fiber& me = *current_fiber;
  Block& block = *me.block;
  if (block.launch == nullptr || block.whole) return false;
  if (block.ready.empty() && block.next_thread >= block.thread_count) return false;
  const Uninterrupted whole(me);
  me.instruction = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1;
  give_way(me, Wait::yielded, 0);
  return true;
}

bool yield_within_warp() {
  Fiber& me = *current_fiber;
  Block& block = *me.block;
  if (block.launch == nullptr || block.whole) return false;
  const Uninterrupted whole(me);
  const std::uint32_t mine = me.linear / warp_width;
  // In a warp with unstarted threads, the warp's next thread continues; it is also the next thread of the block.
  if (!warp_has_begun() || warp_state().step_turns % warp_turn == warp_turn - 1 ||
      !block.ready.bring_forward([&](const Fiber& other) { return other.linear / warp_width == mine; }))
    return yield_within_block();
  me.instruction = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1;
  me.promoted = true;
  me.wait = Wait::yielded;
  block.ready.push(&me);
  go_to_next(me);
  return true;
}

void preempt() {
  Fiber& me = *current_fiber;
  me.where = {};  // the thread may be anywhere
  give_way(me, Wait::interrupted, turn / 4);
}

namespace detail {

bool finish_promoted_thread(Block& block, Fiber& fiber) {
  BlockBarrier& barrier = block.barrier;
  if (barrier.arrived != 0 && barrier.arrived == block.thread_count - block.finished) release(block);
  WarpState& warp = block.warps[fiber.linear / warp_width];
  for (std::uint32_t rest = warp.arrived; rest != 0; rest &= rest - 1) {
    const int waiter = __builtin_ctz(rest);
    if ((warp.arrived >> waiter & 1u) != 0) release_warp(block, warp, warp.waiting[waiter]->wait_mask);
  }
  if (fiber.cluster_phase != 0) {
    if (fiber.cluster_phase == phase_of(block)) --resident_of(block).cluster_arrived;
    fiber.cluster_phase = 0;
  }
  if (block.outer_waiters != 0 || block.cluster != nullptr) complete_cluster_phase(block);
  fiber.at_grid = false;
  fiber.promoted = false;
  fiber.wait = Wait::none;
  return !block.ready.empty();
}

}  // namespace detail

bool BlocksBarrier::arrive(std::uint64_t& round) {
  const std::lock_guard<std::mutex> lock(mutex_);
  round = round_.load();
  ++arrived_;
  return complete();
}

bool BlocksBarrier::leave(const std::uint64_t* arrived) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (arrived != nullptr && *arrived == round_.load()) --arrived_;
  ++gone_;
  return complete();
}

bool BlocksBarrier::complete() {
  if (arrived_ == 0 || arrived_ + gone_.load() != blocks) return false;
  arrived_ = 0;
  round_.fetch_add(1, std::memory_order_release);
  return true;
}

}  // namespace cuemu
