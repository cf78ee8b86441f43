// Decides which accesses are ordered by happens-before (Lamport 1978): the clocks of a block and its threads.
//
// The basis is vector clocks: a thread's clock has an entry for each thread that it knows of. An access is
// stored as an epoch (a thread and its time), as in FastTrack (Flanagan and Freund, PLDI 2009). A GPU has too
// many threads for one vector per thread. But nearly all of their order comes from barriers, and the clocks
// here exploit that:
//
// A block has one counter. Every operation that orders accesses (a barrier, a warp collective, a fence) increments
// the counter, and the participating threads continue at the new value. A barrier orders everything that the block
// did before it, so "thread t has seen what thread u did at time c" is usually one comparison with the time of the
// Fences with flags or counters, and barriers of parts of warps and blocks, create order that the counter
// can't express. This order is kept in a sparse vector clock, which is immutable and shared by all threads
// that acquire it. A cluster's barrier gives all its blocks one vector clock with an entry for each block.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "cuemu/thread.hpp"
#include "shadow.hpp"
#include "timeline.hpp"

namespace cuemu::check {

/// States that all actions of a party (a thread, a warp or a whole block) before `clock` happen before the
/// current operation.
struct ClockEntry {
  std::uint64_t party;
  std::uint32_t clock;
};

/// A list of entries, sorted by party. A party without an entry has time 0.
class VectorClock {
 public:
  static std::uint64_t whole_block(std::uint32_t block) { return std::uint64_t{block} << 12; }
  static std::uint64_t warp_of(std::uint32_t block, unsigned warp) {
    return std::uint64_t{block} << 12 | (1 + warp);
  }
  static std::uint64_t thread_of(std::uint32_t block, unsigned thread) {
    return std::uint64_t{block} << 12 | (1024 + thread);
  }

  bool covers(const Stamp& stamp) const;
  /// Whether the clock has an entry of the block.
  bool knows_of(std::uint32_t block) const;
  std::uint32_t bound(std::uint64_t party) const;
  void raise(std::uint64_t party, std::uint32_t clock);
  void merge(const VectorClock& other);
  /// Whether the clock contains everything that `other` contains.
  bool includes(const VectorClock& other) const;
  /// Makes a clock from entries in any order. A party may occur several times.
  static VectorClock of(std::vector<ClockEntry> entries);
  /// Removes the entries that the block's last barrier implies.
  void prune(std::uint32_t block, std::uint32_t base);
  bool empty() const { return bounds_.empty(); }

 private:
  std::vector<ClockEntry> bounds_;
};
using VectorClockPtr = std::shared_ptr<const VectorClock>;

/// Returns the union of both clocks; either may be null. If one clock includes the other, that object itself
/// is returned, so that threads that meet repeatedly share one object.
VectorClockPtr merged(const VectorClockPtr& a, const VectorClockPtr& b);

/// The knowledge that a thread released at its last fence: clocks that it shares with other threads, and its
/// own entries.
struct Published {
  VectorClockPtr known, cluster;
  ClockEntry own[3] = {};  ///< the entries of its block, its warp, and itself
  bool any = false;        ///< false: the thread had no fence, so it releases nothing

  /// The union of all parts; null if empty.
  VectorClockPtr joined() const;
};

/// The point at which a kernel's thread launched a grid. Everything that the thread had done and known by
/// then happens before the grid.
struct LaunchPoint {
  std::uint32_t first_era = 0;  ///< the first era of the kernel's launch
  std::uint32_t era = 0;        ///< the era of the launch's part after the last grid barrier
  VectorClockPtr known;
  std::uint32_t block = 0;
  const void* stream = nullptr;  ///< grids that one block launches into one stream run one after another
  bool is_ordered = true;        ///< false: cudaStreamFireAndForget, which orders no grids
  bool is_tail = false;          ///< it runs after the kernel and all its other grids
  std::vector<void*> stack;
  std::shared_ptr<const LaunchPoint> above;  ///< of the kernel, if another kernel launched it

  bool covers(const Stamp& stamp) const {
    for (const LaunchPoint* point = this; point != nullptr; point = point->above.get()) {
      if (stamp.era >= point->first_era && stamp.era < point->era) return true;
      if (stamp.era == point->era) return point->known != nullptr && point->known->covers(stamp);
    }
    return false;
  }
};

struct ThreadClock {
  std::uint32_t clock = 0;       ///< the time of its last fence or individual collective
  std::uint32_t fence = 0;       ///< its last fence has released everything that it did before this time
  std::uint32_t fence_base = 0;  ///< the block's and the warp's last barriers at that fence
  std::uint32_t fence_warp = 0;
  VectorClockPtr known;          ///< knowledge that it acquired through memory
  VectorClockPtr fence_known;    ///< the value of `known` at its last fence
  VectorClockPtr fence_cluster;  ///< the cluster's last barrier at that fence
};

/// The clocks of one block and its threads.
class BlockClocks {
 public:
  void begin(std::uint32_t era_, std::uint32_t block_, std::uint32_t threads);

  /// Whether everything that `stamp` represents happens before the current operation of thread `t`.
  bool saw(const Stamp& stamp, unsigned t) const {
    if (stamp.era != era)
      return operation == nullptr || Timeline::get().saw(*operation, stamp.era) ||
             (operation->launched_at != nullptr && operation->launched_at->covers(stamp));
    if (stamp.block == block) {
      if (stamp.spread == 0 && stamp.thread == t) return true;
      if (stamp.clock < base && static_cast<Spread>(stamp.spread) != Spread::grid) return true;
      if (stamp.spread <= 1 && stamp.thread / warp_width == t / warp_width &&
          stamp.clock < warp_base[t / warp_width])
        return true;
    }
    if (cluster_base != nullptr && cluster_base->covers(stamp)) return true;
    return any_known && threads[t].known != nullptr && threads[t].known->covers(stamp);
  }
  /// Whether thread `t` knows that another block has begun.
  bool knows_of(std::uint32_t other, unsigned t) const {
    return (cluster_base != nullptr && cluster_base->knows_of(other)) ||
           (threads[t].known != nullptr && threads[t].known->knows_of(other));
  }
  /// Whether the access happens before the last operation of at least one thread of the block. Then it also
  /// happens before the block's end.
  bool saw_by_any(const Stamp& stamp) const;
  std::uint32_t now(unsigned t) const {
    const std::uint32_t warp = warp_base[t / warp_width];
    const std::uint32_t own = threads[t].clock;
    const std::uint32_t later = warp > own ? warp : own;
    return later > base ? later : base;
  }

  void leave_fast_path() { std::fill(std::begin(fast_epoch), std::end(fast_epoch), 0u); }
  /// Sets fast_epoch for the warp of thread `t`, if the warp may use the fast path, and for other warps at
  /// the same time.
  void prepare_fast_path(unsigned t) {
    const unsigned warp = t / warp_width;
    if (!any_known && own_time_[warp] <= warp_time(warp)) prepare_warps(t);
  }

  /// The epoch of thread `t`'s current operation.
  std::uint32_t epoch(unsigned t) {
    const std::uint32_t time = now(t);
    Tick& last = last_tick_[t / warp_width];
    return last.clock == time && last.era == era ? last.epoch : new_epoch(last, time);
  }

  void block_barrier();
  void warp_barrier(unsigned warp, std::uint32_t lanes, bool whole);
  /// Called when the given threads of the block have met at a barrier.
  void group_barrier(const std::vector<unsigned>& members);
  void grid_barrier(std::uint32_t new_era);
  /// Called when all threads of a cluster's blocks have met. For an ended block, the caller gives its last
  /// time.
  static void cluster_barrier(const std::vector<BlockClocks*>& blocks, const std::vector<ClockEntry>& ended);
  void fence(unsigned t);
  /// The knowledge that a write by thread `t` releases to threads that read the value; empty if no fence
  /// precedes the write.
  Published published(unsigned t) const;
  void learn(unsigned t, const VectorClockPtr& known);

  Operation* operation = nullptr;  ///< the launch's operation, or the one that contains it
  std::uint32_t era = 0;
  std::uint32_t block = 0;
  std::uint32_t clock = 0;
  std::uint32_t base = 0;       ///< time of the block's last barrier
  VectorClockPtr cluster_base;  ///< the time of its cluster's last barrier, by block; null: none yet
  std::uint32_t barriers = 0;   ///< the number of its barriers
  /// Epochs of this block below this number precede the block's last barrier.
  std::uint32_t settled = Epochs::outside_kernels + 1;
  std::uint32_t warp_base[max_block_warps] = {};
  /// The common epoch of a warp's threads, as long as only barriers of the block and of the whole warp order
  /// them. 0 if other operations order them as well, or if the epoch has not been computed since the last
  /// barrier.
  std::uint32_t fast_epoch[max_block_warps] = {};
  std::uint32_t fenced_base = 0;  ///< every thread had a fence at this time or later, before the last barrier
  bool any_known = false;
  bool parts_meet = false;  ///< some of its threads have met that are not a whole warp
  std::vector<ThreadClock> threads;

 private:
  /// The epoch of a clock value.
  struct Tick {
    std::uint32_t era = 0;
    std::uint32_t clock = 0;
    std::uint32_t epoch = 0;
  };
  std::uint32_t new_epoch(Tick& last, std::uint32_t time);
  void prepare_warps(unsigned t);
  /// The time of the warp's last barrier, or of its block's last barrier if that was later.
  std::uint32_t warp_time(std::size_t warp) const { return std::max(warp_base[warp], base); }

  std::uint32_t fences_ = 0;                      ///< the number of fences since the last barrier
  bool any_thread_differs_ = true;                ///< some thread differs from the initial state
  std::uint32_t own_time_[max_block_warps] = {};  ///< the last individual time of a warp's threads
  Tick newest_tick_;
  Tick last_tick_[max_block_warps];  ///< the last tick of each warp
};

/// The knowledge released through each address of a flag or counter, in one launch.
class Channels {
 public:
  void clear() { at_.clear(); }
  void write(std::uint64_t address, const VectorClockPtr& known, bool keeps_old);
  VectorClockPtr read(std::uint64_t address) const;

 private:
  std::unordered_map<std::uint64_t, VectorClockPtr> at_;
};

/// The knowledge that threads pass on at barriers with phases, in one launch. A thread that waits for a phase
/// acquires from all threads that arrived in that phase or earlier, but not from later arrivals.
class Phases {
 public:
  void clear() { at_.clear(); }
  /// Called when a barrier is initialised, perhaps at the address of an earlier barrier.
  void begin(std::uint64_t barrier) { at_.erase(barrier); }
  /// Called when a thread arrives and releases `known`.
  void arrive(std::uint64_t barrier, const Published& known);
  /// Called when all threads have arrived: the phase ends.
  void end(std::uint64_t barrier);
  /// The knowledge that a thread acquires when it waits for the last ended phase.
  VectorClockPtr over(std::uint64_t barrier) const;

 private:
  struct Barrier {
    // Arrivals in the current phase. They are merged only when the phase ends, since many arriving threads
    // share most of their knowledge.
    VectorClockPtr arriving, last;  ///< the shared parts, and the last of them
    std::vector<ClockEntry> own;
    VectorClockPtr over;
  };
  std::unordered_map<std::uint64_t, Barrier> at_;
};

}  // namespace cuemu::check
