// Barriers of a block, a warp and a grid, and what happens when a thread that others wait for returns.
//
// Whoever arrives last releases all, itself included, in the order of arrival: threads go on in the order of
// their indices after each barrier, in every run. A warp that was released goes on before the others, so that
// warps run one after another from one barrier of the block to the next; emucc's loops run them in that order.
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

constexpr std::uint32_t turn = 64;  ///< what a block may use up before another has its turn
/// So often a warp goes on at once; then others have a turn, since it may wait for them in a loop.
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

/// emucc split the kernel, or made a plain loop of it, since it saw nothing in it that waits.
[[noreturn]] void cannot_wait() {
  stop_kernel(cudaErrorLaunchFailure,
              "a function that it calls waits for other threads, which emucc did not see: compile with "
              "--no-fission");
}

__attribute__((always_inline)) inline void arrive(int predicate, SourceLine where) {
  Fiber& me = *current_fiber;
  const Uninterrupted whole(me);
  Block& block = *me.block;
  if (__builtin_expect(block.launch == nullptr, 0)) no_kernel("__syncthreads() was called outside a kernel");
  if (__builtin_expect(block.whole, 0)) cannot_wait();
  BlockBarrier& barrier = block.barrier;
  ++barrier.threads;
  barrier.gathered += predicate != 0;
  me.promoted = true;
  me.wait = Wait::block_barrier;
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

/// Releases the lanes of `mask` if all of them that have not returned wait with that very mask.
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

void wait_outside(Fiber& me, BlocksBarrier& barrier, Wait why, SourceLine where) {
  Block& block = *me.block;
  Resident& resident = resident_of(block);
  if (__builtin_expect(block.whole, 0)) cannot_wait();
  if (block.outer_waiters != 0 && resident.outer != &barrier)
    stop_kernel(cudaErrorLaunchTimeout,
                "deadlock: some threads of a block wait for the grid, others for the cluster");
  resident.outer = &barrier;
  me.promoted = true;
  me.wait = why;
  me.where = where;
  ++block.outer_waiters;
  resident.outer_waiting.push(&me);
  go_to_next(me);
}

}  // namespace

void grid_barrier(SourceLine where) {
  Fiber& me = *current_fiber;
  const Uninterrupted whole(me);
  Block& block = *me.block;
  if (block.launch == nullptr) no_kernel("a grid's sync() was called outside a kernel");
  if (!block.launch->cooperative)
    stop_kernel(cudaErrorLaunchFailure,
                "grid.sync() needs a cooperative launch: use cudaLaunchCooperativeKernel");
  wait_outside(me, block.launch->grid_barrier, Wait::grid_barrier, where);
}

void cluster_barrier(SourceLine where) {
  Fiber& me = *current_fiber;
  const Uninterrupted whole(me);
  Block& block = *me.block;
  if (block.launch == nullptr) no_kernel("a cluster's sync() was called outside a kernel");
  if (block.cluster == nullptr) return block_barrier(where);
  wait_outside(me, static_cast<RunningCluster*>(block.cluster)->barrier, Wait::cluster_barrier, where);
}

namespace {

/// Lets others run: `share` of a block's turn is used up.
void give_way(Fiber& me, Wait why, std::uint32_t share) {
  Block& block = *me.block;
  Resident& resident = resident_of(block);
  const bool alone = block.ready.empty() && block.next_thread >= block.thread_count;
  me.promoted = true;
  me.wait = why;
  block.ready.push(&me);
  resident.yields += share;
  if (alone || resident.yields >= turn) {  // let other blocks have a turn
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
  // A warp that has not begun as a whole goes on with its next thread, which is the block's.
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
  me.where = {};  // it stands anywhere
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
  fiber.promoted = false;
  fiber.wait = Wait::none;
  return !block.ready.empty();
}

}  // namespace detail

bool BlocksBarrier::complete() {
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  const std::uint64_t arrived = arrived_.load();
  if (arrived == 0 || arrived + gone_.load() != blocks) return false;
  arrived_.store(0);
  round_.fetch_add(1, std::memory_order_release);
  return true;
}

}  // namespace cuemu
