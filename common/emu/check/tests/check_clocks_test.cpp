// The clocks of a block against a slow, obvious reference, on random programs: for each thread the set of all accesses
// that it has seen, by its own doing, at barriers, and through flags that others wrote behind a fence.
#include "clocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>

namespace {

using namespace cuemu::check;

constexpr unsigned threads = 96;

/// An access, as shadow memory would keep it.
struct Access {
  Stamp stamp;
  std::string text;
};

using Seen = std::set<std::size_t>;

void add(Seen& to, const Seen& more) {
  to.insert(more.begin(), more.end());
}

/// What happens to both.
class Both {
 public:
  explicit Both(unsigned seed) : random_(seed) {
    clocks_.begin(1, 0, threads);
    seen_.resize(threads);
  }

  void step() {
    const unsigned what = below(20);
    const unsigned t = below(threads);
    if (what < 11)
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
    else
      read_flag(t);
  }

  /// Every access is seen by whom it is seen by.
  void compare() {
    for (std::size_t i = 0; i < accesses_.size(); ++i)
      for (unsigned t = 0; t < threads; t += 1 + below(8))
        ASSERT_EQ(clocks_.saw(accesses_[i].stamp, t), seen_[t].count(i) != 0)
            << "thread " << t << " and " << accesses_[i].text << "\n"
            << log_;
  }

 private:
  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }

  void access(unsigned t) {
    const Mark mark(clocks_.epoch(t), t, false, false, 1);
    accesses_.push_back(
        {mark.stamp(), "access " + std::to_string(accesses_.size()) + " of thread " + std::to_string(t)});
    seen_[t].insert(accesses_.size() - 1);
    log_ += accesses_.back().text + "\n";
  }
  void meet(const std::vector<unsigned>& members) {
    Seen all;
    for (const unsigned t : members) add(all, seen_[t]);
    for (const unsigned t : members) seen_[t] = all;
  }
  void block_barrier() {
    log_ += "barrier\n";
    clocks_.block_barrier();
    std::vector<unsigned> all(threads);
    for (unsigned t = 0; t < threads; ++t) all[t] = t;
    meet(all);
  }
  void warp_barrier(unsigned warp) {
    log_ += "warp " + std::to_string(warp) + "\n";
    clocks_.warp_barrier(warp, ~0u, true);
    std::vector<unsigned> lanes;
    for (unsigned lane = 0; lane < cuemu::warp_width; ++lane)
      lanes.push_back(warp * cuemu::warp_width + lane);
    meet(lanes);
  }
  void lanes_meet(unsigned warp) {
    const auto mask = static_cast<std::uint32_t>(random_()) | 1u;
    log_ += "lanes " + std::to_string(mask) + " of warp " + std::to_string(warp) + "\n";
    clocks_.warp_barrier(warp, mask, false);
    std::vector<unsigned> lanes;
    for (unsigned lane = 0; lane < cuemu::warp_width; ++lane)
      if ((mask >> lane & 1u) != 0) lanes.push_back(warp * cuemu::warp_width + lane);
    meet(lanes);
  }
  void group_meets() {
    const unsigned first = below(threads - 8), count = 2 + below(threads - first - 2);
    log_ += "group from " + std::to_string(first) + ", " + std::to_string(count) + "\n";
    std::vector<unsigned> members;
    for (unsigned t = first; t < first + count; ++t) members.push_back(t);
    clocks_.group_barrier(members);
    meet(members);
  }
  /// A fence, and a flag behind it; an atomic update keeps what others handed on there.
  void write_flag(unsigned t, bool keeps) {
    const unsigned flag = below(4);
    log_ += "thread " + std::to_string(t) + " writes flag " + std::to_string(flag) +
            (keeps ? ", an update\n" : "\n");
    clocks_.fence(t);
    const Seen published = seen_[t];  // what it learns from the flag now does not belong to it
    if (keeps) read(t, flag);
    channels_.write(flag, clocks_.published(t), keeps);
    if (!keeps) handed_on_[flag].clear();
    add(handed_on_[flag], published);
  }
  void read_flag(unsigned t) {
    const unsigned flag = below(4);
    log_ += "thread " + std::to_string(t) + " reads flag " + std::to_string(flag) + "\n";
    read(t, flag);
  }
  void read(unsigned t, unsigned flag) {
    clocks_.learn(t, channels_.read(flag));
    add(seen_[t], handed_on_[flag]);
  }

  std::mt19937 random_;
  BlockClocks clocks_;
  Channels channels_;
  std::vector<Access> accesses_;
  std::vector<Seen> seen_;  ///< by thread: numbers of accesses
  std::map<unsigned, Seen> handed_on_;
  std::string log_;
};

class Clocks : public testing::TestWithParam<unsigned> {};

TEST_P(Clocks, AreThoseOfTheReference) {
  epochs.prepare();
  epochs.clear();
  for (unsigned round = 0; round < 20 && !HasFatalFailure(); ++round) {
    Both both(GetParam() * 1000 + round);
    for (int i = 0; i < 60; ++i) both.step();
    both.compare();
  }
}
INSTANTIATE_TEST_SUITE_P(Random, Clocks, testing::Range(1u, 9u));

}  // namespace
