// Barriers for a part of a block; see cuemu/named_barrier.hpp.
#include "cuemu/named_barrier.hpp"

#include <cstdio>

#include "observer.hpp"
#include "report.hpp"
#include "worker.hpp"

namespace cuemu {
namespace {

NamedBarrier& arrive_at(unsigned number, unsigned threads) {
  Block& block = *current_fiber->block;
  if (__builtin_expect(block.launch == nullptr, 0))
    fatal("a barrier for a part of a block was called outside a kernel");
  if (number >= named_barriers || threads == 0)
    stop_kernel(cudaErrorLaunchFailure,
                "bar.sync knows the barriers 0 to 15, and a count of threads above 0");
  Resident& resident = resident_of(block);
  resident.named_used = true;
  NamedBarrier& barrier = resident.named[number];
  if (barrier.arrived != 0 && barrier.expected != threads) {
    char text[160];
    std::snprintf(text, sizeof text, "at barrier %u some threads expect %u threads, and others %u", number,
                  barrier.expected, threads);
    stop_kernel(cudaErrorLaunchFailure, text);
  }
  barrier.expected = threads;
  ++barrier.arrived;
  return barrier;
}

/// Releases all waiting threads if the last thread has arrived.
void release_if_complete(Block& block, NamedBarrier& barrier) {
  if (barrier.arrived < barrier.expected) return;
  if (is_observed()) {
    std::vector<WaitingThread> members;
    for (const Fiber* fiber = barrier.waiting.head; fiber != nullptr; fiber = fiber->next)
      members.push_back({WaitingThread::For::group, fiber->linear, 0, fiber->where});
    notify(&Observer::group_synchronised, BlockView(block), members);
  }
  notify(&Observer::barrier_phase_ends, BlockView(block), &barrier);
  barrier.arrived = 0;
  block.ready.splice(barrier.waiting);
}

}  // namespace

void named_barrier_sync(unsigned number, unsigned threads, SourceLine where) {
  Fiber& me = *current_fiber;
  const Uninterrupted whole(me);
  NamedBarrier& barrier = arrive_at(number, threads);
  me.promoted = true;
  me.wait = Wait::block_barrier;
  me.where = where;
  barrier.waiting.push(&me);
  release_if_complete(*me.block, barrier);
  switch_away(me);
  notify(&Observer::barrier_passed, BlockView(*me.block), &barrier);
}

void named_barrier_arrive(unsigned number, unsigned threads, SourceLine) {
  const Uninterrupted whole(*current_fiber);
  NamedBarrier& barrier = arrive_at(number, threads);
  notify(&Observer::barrier_arrived, this_block(), &barrier, current_fiber->linear);
  release_if_complete(*current_fiber->block, barrier);
}

}  // namespace cuemu
