// Compares the clocks of a grid's blocks with a slow and simple reference, on random programs. For each
// thread, the reference keeps the set of all accesses that the thread has seen. A thread sees its own
// accesses. At a barrier of its warp, block or cluster or of the grid, it sees the accesses of the other
// threads there. It also sees accesses through flags that are written after a fence, and at barriers with
// phases, in its own block or in another one.
#include "clocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>

namespace {

using namespace cuemu::check;

constexpr unsigned threads = 96;  ///< of a block
constexpr unsigned blocks = 3;
constexpr unsigned in_cluster = 2;  ///< the first blocks

/// An access, as shadow memory stores it.
struct Access {
  Stamp stamp;
  std::string text;
};

using Seen = std::set<std::size_t>;

void add(Seen& to, const Seen& more) {
  to.insert(more.begin(), more.end());
}

/// Passes each event to both the clocks and the reference.
class Both {
 public:
  explicit Both(unsigned seed) : random_(seed) {
    for (unsigned b = 0; b < blocks; ++b) clocks_[b].begin(era_, b, threads);
    seen_.resize(blocks * threads);
  }

  void step() {
    const unsigned what = below(24);
    const unsigned t = below(threads);
    block_ = below(2) == 0 ? 0 : below(blocks);
    if (const unsigned wide = below(40); wide == 0)
      grid_barrier();
    else if (wide < 3)
      cluster_barrier();
    else if (what < 11)
      access(t);
    else if (what == 11)
      block_barrier();
    else if (what == 12)
      warp_barrier(t / cuemu::warp_width);
    else if (what == 13)
      lanes_meet(t / cuemu::warp_width);
    else if (what == 14)
      group_meets();
    else if (what < 17)
      write_flag(t, what == 15);
    else if (what < 20)
      read_flag(t);
    else if (what < 22)
      arrive(t);
    else if (what == 22)
      end_phase();
    else
      wait(t);
  }

  /// Compares a warp's epoch for the fast path with the epoch of each of its threads.
  void compare_epochs() {
    for (const BlockClocks& each : clocks_)
      for (unsigned t = 0; t < threads; ++t) {
        const std::uint32_t number = each.fast_epoch[t / cuemu::warp_width];
        if (number == 0) continue;
        const Epoch& epoch = epochs[number];
        ASSERT_TRUE(epoch.era == each.era && epoch.block == each.block && epoch.clock == each.now(t) &&
                    !each.any_known)
            << "thread " << t << " of block " << each.block << "\n"
            << log_;
      }
  }

  /// Checks that the clocks and the reference agree for each thread and each access whether the thread has
  /// seen it.
  void compare() {
    for (std::size_t i = 0; i < accesses_.size(); ++i)
      for (block_ = 0; block_ < blocks; ++block_)
        for (unsigned t = below(16); t < threads; t += 1 + below(16))
          ASSERT_EQ(clocks().saw(accesses_[i].stamp, t), seen(t).count(i) != 0)
              << "thread " << t << " of block " << block_ << " and " << accesses_[i].text << "\n"
              << log_;
    for (std::size_t i = 0; i < accesses_.size(); ++i)
      for (block_ = 0; block_ < blocks; ++block_) {
        if (accesses_[i].stamp.block == block_) continue;
        bool by_any = false;
        for (unsigned t = 0; t < threads; ++t) by_any |= seen(t).count(i) != 0;
        ASSERT_EQ(clocks().saw_by_any(accesses_[i].stamp), by_any)
            << "block " << block_ << " and " << accesses_[i].text << "\n"
            << log_;
      }
  }

 private:
  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }
  /// The current block's clocks.
  BlockClocks& clocks() { return clocks_[block_]; }
  Seen& seen(unsigned t) { return seen_[block_ * threads + t]; }
  void log(const std::string& text) { log_ += "block " + std::to_string(block_) + ": " + text + "\n"; }

  void access(unsigned t) {
    if (below(2) == 0) clocks().prepare_fast_path(t);
    const Mark mark(clocks().epoch(t), t, false, false, 1);
    accesses_.push_back({mark.stamp(), "access " + std::to_string(accesses_.size()) + " of thread " +
                                           std::to_string(t) + " of block " + std::to_string(block_)});
    seen(t).insert(accesses_.size() - 1);
    log(accesses_.back().text);
  }
  void meet(const std::vector<unsigned>& members) {
    Seen all;
    for (const unsigned t : members) add(all, seen(t));
    for (const unsigned t : members) seen(t) = all;
  }
  void grid_barrier() {
    log("grid");
    ++era_;
    Seen all;
    for (const Seen& one : seen_) add(all, one);
    for (Seen& one : seen_) one = all;
    for (BlockClocks& each : clocks_) each.grid_barrier(era_);
  }
  void cluster_barrier() {
    log("cluster");
    Seen all;
    std::vector<BlockClocks*> members;
    for (unsigned b = 0; b < in_cluster; ++b) members.push_back(&clocks_[b]);
    for (unsigned i = 0; i < in_cluster * threads; ++i) add(all, seen_[i]);
    for (unsigned i = 0; i < in_cluster * threads; ++i) seen_[i] = all;
    BlockClocks::cluster_barrier(members, {});
  }
  void block_barrier() {
    log("barrier");
    clocks().block_barrier();
    std::vector<unsigned> all(threads);
    for (unsigned t = 0; t < threads; ++t) all[t] = t;
    meet(all);
  }
  void warp_barrier(unsigned warp) {
    log("warp " + std::to_string(warp));
    clocks().warp_barrier(warp, ~0u, true);
    std::vector<unsigned> lanes;
    for (unsigned lane = 0; lane < cuemu::warp_width; ++lane)
      lanes.push_back(warp * cuemu::warp_width + lane);
    meet(lanes);
  }
  void lanes_meet(unsigned warp) {
    const auto mask = static_cast<std::uint32_t>(random_()) | 1u;
    log("lanes " + std::to_string(mask) + " of warp " + std::to_string(warp));
    clocks().warp_barrier(warp, mask, false);
    std::vector<unsigned> lanes;
    for (unsigned lane = 0; lane < cuemu::warp_width; ++lane)
      if ((mask >> lane & 1u) != 0) lanes.push_back(warp * cuemu::warp_width + lane);
    meet(lanes);
  }
  void group_meets() {
    const unsigned first = below(threads - 8), count = 2 + below(threads - first - 2);
    log("group from " + std::to_string(first) + ", " + std::to_string(count));
    std::vector<unsigned> members;
    for (unsigned t = first; t < first + count; ++t) members.push_back(t);
    clocks().group_barrier(members);
    meet(members);
  }
  /// Makes a fence and then writes a flag. An atomic update keeps the knowledge that other threads have
  /// released through the flag.
  void write_flag(unsigned t, bool keeps) {
    const unsigned flag = below(4);
    log("thread " + std::to_string(t) + " writes flag " + std::to_string(flag) +
        (keeps ? ", an update" : ""));
    clocks().fence(t);
    const Seen published = seen(t);  // without the knowledge that it now acquires from the flag
    if (keeps) read(t, flag);
    channels_.write(flag, clocks().published(t).joined(), keeps);
    if (!keeps) handed_on_[flag].clear();
    add(handed_on_[flag], published);
  }
  void read_flag(unsigned t) {
    const unsigned flag = below(4);
    log("thread " + std::to_string(t) + " reads flag " + std::to_string(flag));
    read(t, flag);
  }
  /// Arrives at a barrier with phases. A waiting thread has seen exactly what the threads had seen that
  /// arrived in ended phases.
  void arrive(unsigned t) {
    const unsigned barrier = below(3);
    log("thread " + std::to_string(t) + " arrives at barrier " + std::to_string(barrier));
    clocks().fence(t);
    phases_.arrive(barrier, clocks().published(t));
    add(arriving_[barrier], seen(t));
  }
  void end_phase() {
    const unsigned barrier = below(3);
    log("a phase of barrier " + std::to_string(barrier) + " ends");
    phases_.end(barrier);
    add(over_[barrier], arriving_[barrier]);
    arriving_[barrier].clear();
  }
  void wait(unsigned t) {
    const unsigned barrier = below(3);
    log("thread " + std::to_string(t) + " waits at barrier " + std::to_string(barrier));
    clocks().learn(t, phases_.over(barrier));
    add(seen(t), over_[barrier]);
  }
  void read(unsigned t, unsigned flag) {
    clocks().learn(t, channels_.read(flag));
    add(seen(t), handed_on_[flag]);
  }

  std::mt19937 random_;
  std::uint32_t era_ = 1;
  unsigned block_ = 0;  ///< the current block
  BlockClocks clocks_[blocks];
  Channels channels_;
  Phases phases_;
  std::vector<Access> accesses_;
  std::vector<Seen> seen_;  ///< by block and thread: numbers of accesses
  std::map<unsigned, Seen> handed_on_;
  std::map<unsigned, Seen> arriving_, over_;
  std::string log_;
};

class Clocks : public testing::TestWithParam<unsigned> {};

TEST_P(Clocks, AreThoseOfTheReference) {
  epochs.prepare();
  epochs.clear();
  for (unsigned round = 0; round < 20 && !HasFatalFailure(); ++round) {
    Both both(GetParam() * 1000 + round);
    for (int i = 0; i < 120 && !HasFatalFailure(); ++i) {
      both.step();
      both.compare_epochs();
    }
    both.compare();
  }
}
INSTANTIATE_TEST_SUITE_P(Random, Clocks, testing::Range(1u, 9u));

}  // namespace
