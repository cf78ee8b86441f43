// Which accesses are ordered by happens-before (Lamport 1978): the clocks of a block and of its threads.
//
// Vector clocks decide it, one entry for each thread that another has heard of; an access is kept as an epoch, a thread with its
// time, as in FastTrack (Flanagan and Freund, PLDI 2009). A GPU has too many threads for a vector each, but nearly all their
// order comes from barriers, which is what the clocks here make use of:
//
// A block has one counter. Every operation that orders accesses (a barrier, a warp's collective, a fence)
// counts it up, and the threads that take part go on at the new value. Since a barrier orders everything that
// the block did before it, "thread t has seen what thread u did at time c" is mostly one comparison with the
// time of the last barrier. Order that comes through memory (fences with flags or counters) and through parts
// of warps and blocks is kept as a sparse vector clock, shared and unchangeable, that threads hand on. The barrier of
// a cluster gives its blocks one that has an entry for each of them.
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

/// Everything that a party (a thread, a warp or a whole block) did before `clock` happens before what comes now.
struct ClockEntry {
  std::uint64_t party;
  std::uint32_t clock;
};

/// Entries by party, sorted; what has none is at 0.
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
  /// Does it know anything of a block?
  bool knows_of(std::uint32_t block) const;
  std::uint32_t bound(std::uint64_t party) const;
  void raise(std::uint64_t party, std::uint32_t clock);
  void merge(const VectorClock& other);
  /// Does it know all that the other one knows?
  bool includes(const VectorClock& other) const;
  /// From entries in any order, of which several may be of one party.
  static VectorClock of(std::vector<ClockEntry> entries);
  /// Forgets what a block's last barrier makes known anyway.
  void prune(std::uint32_t block, std::uint32_t base);
  bool empty() const { return bounds_.empty(); }

 private:
  std::vector<ClockEntry> bounds_;
};
using VectorClockPtr = std::shared_ptr<const VectorClock>;

/// The union of both; either may be null. One of them where it includes the other: threads that meet again and again share theirs.
VectorClockPtr merged(const VectorClockPtr& a, const VectorClockPtr& b);

/// What a thread hands on: what it knew at its last fence, which threads that have met share, and what is its own.
struct Published {
  VectorClockPtr known, cluster;
  ClockEntry own[3] = {};  ///< of its block, its warp, and itself
  bool any = false;        ///< false: nothing, since it had no fence

  /// All of it; null where that is nothing.
  VectorClockPtr joined() const;
};

/// Where a thread of a kernel launched a grid: what it had done and known by then comes before that grid.
struct LaunchPoint {
  std::uint32_t first_era = 0;  ///< of the kernel's launch,
  std::uint32_t era = 0;        ///< and of its part behind the last grid barrier
  VectorClockPtr known;
  std::uint32_t block = 0;
  const void* stream = nullptr;  ///< grids that one block launches into one stream run one after the other
  bool is_ordered = true;        ///< or it is a stream of its own
  bool is_tail = false;          ///< it runs when the kernel and all its other grids are over
  std::vector<void*> stack;
  std::shared_ptr<const LaunchPoint> above;  ///< of the kernel, where that was launched by another one

  bool covers(const Stamp& stamp) const {
    for (const LaunchPoint* point = this; point != nullptr; point = point->above.get()) {
      if (stamp.era >= point->first_era && stamp.era < point->era) return true;
      if (stamp.era == point->era) return point->known != nullptr && point->known->covers(stamp);
    }
    return false;
  }
};

/// The time of one thread.
struct ThreadClock {
  std::uint32_t clock = 0;       ///< of its last fence or collective by itself
  std::uint32_t fence = 0;       ///< what it did before this its last fence has published
  std::uint32_t fence_base = 0;  ///< the block's and the warp's last barriers at that time
  std::uint32_t fence_warp = 0;
  VectorClockPtr known;          ///< what came to it through memory
  VectorClockPtr fence_known;    ///< the same at its last fence
  VectorClockPtr fence_cluster;  ///< the cluster's last barrier at that time
};

/// The time of one block, and of its threads.
class BlockClocks {
 public:
  void begin(std::uint32_t era_, std::uint32_t block_, std::uint32_t threads);

  /// Is everything that `stamp` stands for ordered before what thread `t` does now?
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
  /// Has another block begun before what thread `t` does now, for all that it knows?
  bool knows_of(std::uint32_t other, unsigned t) const {
    return (cluster_base != nullptr && cluster_base->knows_of(other)) ||
           (threads[t].known != nullptr && threads[t].known->knows_of(other));
  }
  /// Is it ordered before what one of the block's threads did last, so before the end of the block?
  bool saw_by_any(const Stamp& stamp) const;
  std::uint32_t now(unsigned t) const {
    const std::uint32_t warp = warp_base[t / warp_width];
    const std::uint32_t own = threads[t].clock;
    const std::uint32_t later = warp > own ? warp : own;
    return later > base ? later : base;
  }

  void leave_fast_path() { std::fill(std::begin(fast_epoch), std::end(fast_epoch), 0u); }
  /// Fills fast_epoch for the warp of thread `t`, if it may be, and with it for those at the same time.
  void prepare_fast_path(unsigned t) {
    const unsigned warp = t / warp_width;
    if (!any_known && own_time_[warp] <= warp_time(warp)) prepare_warps(t);
  }

  /// The epoch of what thread `t` does now.
  std::uint32_t epoch(unsigned t) {
    const std::uint32_t time = now(t);
    Tick& last = last_tick_[t / warp_width];
    return last.clock == time && last.era == era ? last.epoch : new_epoch(last, time);
  }

  void block_barrier();
  void warp_barrier(unsigned warp, std::uint32_t lanes, bool whole);
  /// Some threads of the block met.
  void group_barrier(const std::vector<unsigned>& members);
  void grid_barrier(std::uint32_t new_era);
  /// All threads of the blocks of a cluster meet. Of those that have ended only their last time is left.
  static void cluster_barrier(const std::vector<BlockClocks*>& blocks, const std::vector<ClockEntry>& ended);
  void fence(unsigned t);
  /// What a write by thread `t` hands on to those who read it: nothing without a fence before it.
  Published published(unsigned t) const;
  void learn(unsigned t, const VectorClockPtr& known);

  Operation* operation = nullptr;  ///< that the launch is, or is in
  std::uint32_t era = 0;
  std::uint32_t block = 0;
  std::uint32_t clock = 0;
  std::uint32_t base = 0;       ///< time of the block's last barrier
  VectorClockPtr cluster_base;  ///< of its cluster's last barrier, by block; null: there was none
  std::uint32_t barriers = 0;   ///< how many there were
  std::uint32_t settled = Epochs::outside_kernels + 1;  ///< smaller ones of this block are before that
  std::uint32_t warp_base[max_block_warps] = {};
  /// The epoch of all threads of a warp, while nothing but barriers of the block and of the whole warp orders
  /// them; 0: it isn't so, or was not asked for since the last of those.
  std::uint32_t fast_epoch[max_block_warps] = {};
  std::uint32_t fenced_base = 0;  ///< every thread had a fence since this time, before the last barrier
  bool any_known = false;
  bool parts_meet = false;  ///< threads of it have met that are not a whole warp
  std::vector<ThreadClock> threads;

 private:
  /// The epoch of a clock's value.
  struct Tick {
    std::uint32_t era = 0;
    std::uint32_t clock = 0;
    std::uint32_t epoch = 0;
  };
  std::uint32_t new_epoch(Tick& last, std::uint32_t time);
  void prepare_warps(unsigned t);
  /// The time of a warp's last barrier, or its block's.
  std::uint32_t warp_time(std::size_t warp) const { return std::max(warp_base[warp], base); }

  std::uint32_t fences_ = 0;                      ///< since the last barrier
  bool any_thread_differs_ = true;                ///< from how threads begin
  std::uint32_t own_time_[max_block_warps] = {};  ///< the last that threads of a warp had by themselves
  Tick newest_tick_;
  Tick last_tick_[max_block_warps];  ///< of each warp
};

/// What was published through each address of flags and counters, in one launch.
class Channels {
 public:
  void clear() { at_.clear(); }
  void write(std::uint64_t address, const VectorClockPtr& known, bool keeps_old);
  VectorClockPtr read(std::uint64_t address) const;

 private:
  std::unordered_map<std::uint64_t, VectorClockPtr> at_;
};

/// What threads hand on at barriers that have phases, in one launch: who waits for one hears of those who have arrived in it or
/// before it, and of no later ones.
class Phases {
 public:
  void clear() { at_.clear(); }
  /// The barrier is made, perhaps where another one was.
  void begin(std::uint64_t barrier) { at_.erase(barrier); }
  /// Somebody arrives who has published this.
  void arrive(std::uint64_t barrier, const Published& known);
  /// All have arrived: the phase is over.
  void end(std::uint64_t barrier);
  /// What those hear who wait for the last phase that is over.
  VectorClockPtr over(std::uint64_t barrier) const;

 private:
  struct Barrier {
    // Of those in the phase that runs: it is joined at its end, since many may come who share most of what they know.
    VectorClockPtr arriving, last;  ///< what was shared, and the last part of that
    std::vector<ClockEntry> own;
    VectorClockPtr over;
  };
  std::unordered_map<std::uint64_t, Barrier> at_;
};

}  // namespace cuemu::check
