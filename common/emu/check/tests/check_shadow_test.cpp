// Compares shadow memory with a slow and simple reference, on random programs. The reference remembers every
// access to every byte, and the threads that have seen the access. Launches of two blocks read, write and
// update a few words of global and shared memory, in parts of 1 to 16 bytes. Some of the accesses are single,
// and others are adjacent, as in coalesced accesses. Barriers of blocks, of warps and of parts of them
// separate the accesses. Threads may return early. In some launches the blocks are a cluster: they access
// each other's shared memory, meet at the cluster's barrier, and release and acquire knowledge through flags.
//
// The shadow must meet these requirements for each access:
// * It never reports a race if there is none.
// * It reports one race for each byte, at or before the first access that races with an earlier access. After
//   that it may know less about the byte.
// * The reported thread made the access: a thread of that block accessed one of the bytes in that way and at
//   that time. If the mark represents only that thread, the thread is a party of a race. In a cluster's shared
//   memory this also holds for marks of several blocks.
// * It knows whether a read element was written before.
//
// These properties are given up by design, since one mark represents several accesses:
// * The lanes and blocks of a mark are not kept. So a mark of several threads may be reported although all of
//   its accesses are ordered. This happens if parts of warps meet, or if the accesses of several blocks were
//   not all atomic.
// * A thread may have seen only the last of several blocks' accesses, through a part of a warp or through a
//   flag (usually a counter of finished blocks). It then counts as having seen all of them. This does not apply
//   to a cluster's shared memory after parts of its blocks have met.
// * An atomic access replaces the accesses that are ordered before it. If a later atomic access races with a
//   replaced access, but not with the first atomic access, the race is missed. A plain write by the same thread
//   is not replaced, unless an ordering operation came between the two.
//
// The tests alternate between the fast paths (fast_path.hpp) and the rule's comparison with a cell
// (marks.hpp), as a checked program does.
#include "shadow.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "fast_path.hpp"

namespace {

using namespace cuemu::check;

constexpr unsigned threads = 96, blocks = 2;
constexpr std::size_t bytes = 96;

struct Done {
  std::uint32_t era;
  unsigned block, thread;
  std::size_t at, size;
  bool write, atomic;
  Mark mark;
  bool noted;  ///< parts of its block had met: of several threads the shadow stores which ones
};

using Seen = std::set<std::size_t>;

/// A range of memory with its shadow and the reference's knowledge about it.
struct Memory {
  explicit Memory(RegionKind kind) : region(kind, 4096, bytes) {}
  Region region;
  std::array<bool, bytes> written{}, raced{};
  std::array<std::vector<std::size_t>, bytes> accesses;  ///< numbers in `all`
};

class Both {
 public:
  Both(unsigned seed, bool is_cluster)
      : random_(seed), is_cluster_(is_cluster), global_(RegionKind::device) {}

  void launch() {
    ++era_;
    settled_ = static_cast<std::uint32_t>(epochs.size());
    log_ += "launch " + std::to_string(era_) + "\n";
    host_writes();
    Seen before;
    for (std::size_t i = 0; i < all_.size(); ++i) before.insert(i);
    for (unsigned b = 0; b < blocks; ++b) {
      clocks_[b].begin(era_, b, threads);
      shared_[b] = std::make_unique<Memory>(RegionKind::shared);
      seen_[b].assign(threads, before);
      returned_[b].assign(threads, false);
    }
    for (int i = 0; i < 40 && !testing::Test::HasFatalFailure(); ++i) step(below(blocks));
  }

 private:
  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }

  void step(unsigned b) {
    if (is_cluster_ && below(4) == 0) {
      const unsigned what = below(4);
      return what == 0 ? cluster_meets() : what == 1 ? hand_over() : tell(b);
    }
    switch (below(10)) {
      case 0:
        return barrier(b);
      case 1:
        return warp_meets(b, below(threads / cuemu::warp_width));
      case 2:
        return lanes_meet(b, below(threads / cuemu::warp_width));
      case 3:
        for (unsigned t = below(threads); t < threads; t += 1 + below(40)) returned_[b][t] = true;
        return;
      case 4:
      case 5:
        return side_by_side(b);
      default:
        return somewhere(b);
    }
  }

  /// Lets a copy write before the launch.
  void host_writes() {
    const std::size_t at = below(bytes), size = 1 + below(static_cast<unsigned>(bytes - at));
    global_.region.mark_written(global_.region.begin + at, size);
    for (std::size_t i = at; i < at + size; ++i) global_.written[i] = true;
    log_ += "copy of " + std::to_string(size) + " to " + std::to_string(at) + "\n";
  }

  Memory& memory(unsigned b) { return below(2) == 0 ? global_ : *shared_[is_cluster_ ? below(blocks) : b]; }

  void somewhere(unsigned b) {
    const std::size_t size = std::size_t{1} << below(5);
    const std::size_t at = below(bytes / size) * size;
    const unsigned what = below(8);
    access(memory(b), b, below(threads), at, size, what < 4, what == 0 || what == 4);
  }

  /// Lets consecutive threads access consecutive elements.
  void side_by_side(unsigned b) {
    Memory& where = memory(b);
    const std::size_t size = std::size_t{1} << below(3);
    const unsigned first = below(threads - 8), count = 1 + below(24);
    std::size_t at = below(4) == 0 ? below(bytes / size) * size : below(bytes / 4) * 4;
    const unsigned what = 1 + below(3);  // reads, writes, both
    for (unsigned t = first; t < first + count && t < threads && at + size <= bytes; ++t, at += size) {
      if ((what & 1u) != 0) access(where, b, t, at, size, false, false, 1);
      if ((what & 2u) != 0) access(where, b, t, at, size, true, false, 2);
    }
  }

  template <std::size_t size>
  bool quickly(Memory& where, unsigned b, unsigned t, std::size_t at, bool write, std::uint32_t site) {
    if (is_cluster_) return false;
    BlockClocks& clocks = clocks_[b];
    clocks.prepare_fast_path(t);
    const std::uint32_t epoch = clocks.fast_epoch[t / cuemu::warp_width];
    if (epoch == 0) return false;
    const bool in_shared = where.region.kind == RegionKind::shared;
    const Horizon horizon{clocks, in_shared ? clocks.settled : settled_, in_shared};
    const Mark me(epoch, t, false, false, site);
    const std::uintptr_t address = where.region.begin + at;
    const auto note = [&](auto words) {
      return write ? note_all<size, true, words>(where.region, address, me, horizon)
                   : note_all<size, false, words>(where.region, address, me, horizon);
    };
    return note(std::integral_constant<Words, Words::whole>()) ||
           note(std::integral_constant<Words, Words::also_split>());
  }
  bool quickly(Memory& where, unsigned b, unsigned t, std::size_t at, std::size_t size, bool write,
               std::uint32_t site) {
    switch (size) {
      case 1:
        return quickly<1>(where, b, t, at, write, site);
      case 2:
        return quickly<2>(where, b, t, at, write, site);
      case 4:
        return quickly<4>(where, b, t, at, write, site);
      case 8:
        return quickly<8>(where, b, t, at, write, site);
      default:
        return quickly<16>(where, b, t, at, write, site);
    }
  }

  void access(Memory& where, unsigned b, unsigned t, std::size_t at, std::size_t size, bool write,
              bool atomic, std::uint32_t site = 3) {
    if (returned_[b][t]) return;
    const bool in_shared = where.region.kind == RegionKind::shared;
    const std::string text = std::string(write ? "write" : "read") + (atomic ? " (atomic)" : "") + " of " +
                             std::to_string(size) + " at " + std::to_string(at) +
                             (in_shared ? " of the shared memory" : "") + " by thread " + std::to_string(t) +
                             " of block " + std::to_string(b);
    log_ += text + "\n";
    // The reference.
    Seen races;
    bool any_written = false, is_news = false;
    for (std::size_t i = at; i < at + size; ++i) {
      any_written |= where.written[i];
      bool by_blocks[blocks] = {}, by_atomics = false, all_noted = true;
      for (const std::size_t number : where.accesses[i]) {
        by_blocks[all_[number].block] |= all_[number].era == era_;
        by_atomics |= all_[number].atomic;
        all_noted &= all_[number].noted || all_[number].era != era_;
      }
      // In a cluster a thread may pass on, to a thread of another block, only its own accesses, not those of
      // its whole block.
      const bool several = in_shared && is_cluster_ ? !all_noted : by_blocks[0] && by_blocks[1];
      const bool left_out = (several && clocks_[b].any_known) || (atomic && by_atomics);
      for (const std::size_t number : where.accesses[i]) {
        const Done& other = all_[number];
        if ((write || other.write) && !(atomic && other.atomic) && seen_[b][t].count(number) == 0) {
          races.insert(number);
          is_news |= !where.raced[i] && !left_out;
        }
      }
    }
    // The shadow.
    const Mark me(clocks_[b].epoch(t), t, atomic, false, site);
    bool raced = false;
    Mark named;
    bool named_writes = false;
    if (!atomic && quickly(where, b, t, at, size, write, site)) {
      ASSERT_TRUE(write || any_written) << text << ": nothing was written there\n" << log_;
    } else {
      std::size_t count = 0;
      Cell* const cells = where.region.cells(where.region.begin + at, size, count);
      bool known_written = false;
      for (std::size_t i = 0; i < count; ++i) known_written |= !cells[i].write.empty();
      ASSERT_TRUE(write || known_written == any_written) << text << "\n" << log_;
      for (std::size_t i = 0; i < count; ++i) {
        Mark other;
        bool other_writes = false;
        if (note_access(cells[i], me, {clocks_[b], where.region, write, in_shared, false}, other,
                        other_writes) &&
            !raced) {
          raced = true;
          named = other;
          named_writes = other_writes;
        }
      }
    }
    if (raced) {
      const auto spread = static_cast<Spread>(named.spread());
      const bool may_be_none = spread == Spread::grid && !in_shared;
      ASSERT_FALSE(races.empty() && !may_be_none) << "false alarm: " << text << "\n" << log_;
      bool did = false, is_party = false;
      const Stamp stamp = named.stamp();
      for (std::size_t i = at; i < at + size; ++i)
        for (const std::size_t number : where.accesses[i]) {
          const Done& other = all_[number];
          if (other.era != stamp.era || other.block != stamp.block || other.thread != stamp.thread ||
              other.write != named_writes || other.mark.site() != named.site())
            continue;
          did = true;
          is_party |= races.count(number) != 0;
        }
      ASSERT_TRUE(did) << text << ": thread " << stamp.thread << " of block " << stamp.block << " did not\n"
                       << log_;
      ASSERT_TRUE(is_party || stamp.spread != 0) << text << ": no race with thread " << stamp.thread << "\n"
                                                 << log_;
      ++told_;
    } else {
      ASSERT_FALSE(is_news) << "missed: " << text << "\n" << log_;
    }
    // Both must know the access from here on.
    const std::size_t number = all_.size();
    all_.push_back({era_, b, t, at, size, write, atomic, me, clocks_[b].parts_meet});
    seen_[b][t].insert(number);
    for (std::size_t i = at; i < at + size; ++i) {
      where.accesses[i].push_back(number);
      if (write) where.written[i] = true;
      if (raced) where.raced[i] = true;
    }
  }

  void meet(unsigned b, const std::vector<unsigned>& members) {
    Seen together;
    for (const unsigned t : members) together.insert(seen_[b][t].begin(), seen_[b][t].end());
    for (const unsigned t : members) seen_[b][t] = together;
  }
  void cluster_meets() {
    log_ += "barrier of the cluster\n";
    std::vector<BlockClocks*> members;
    Seen together;
    for (unsigned b = 0; b < blocks; ++b) {
      members.push_back(&clocks_[b]);
      for (const Seen& one : seen_[b]) together.insert(one.begin(), one.end());
    }
    for (unsigned b = 0; b < blocks; ++b) seen_[b].assign(threads, together);
    BlockClocks::cluster_barrier(members, {});
  }
  /// Lets a thread of the block release its knowledge to a thread of any block, by a flag in shared memory.
  void tell(unsigned b) { tell(b, below(threads), below(blocks), below(threads)); }
  void tell(unsigned b, unsigned t, unsigned to, unsigned other) {
    log_ += "thread " + std::to_string(t) + " of block " + std::to_string(b) + " tells thread " +
            std::to_string(other) + " of block " + std::to_string(to) + "\n";
    clocks_[b].fence(t);
    clocks_[to].learn(other, clocks_[b].published(t).joined());
    clocks_[to].parts_meet = true;
    const Seen told = seen_[b][t];
    seen_[to][other].insert(told.begin(), told.end());
  }
  /// Lets some threads access the same place. Then one or all of them release their knowledge to a thread
  /// that writes there.
  void hand_over() {
    Memory& where = *shared_[below(blocks)];
    const std::size_t at = below(bytes / 4) * 4;
    const unsigned count = 2 + below(3), to = below(blocks), writer = below(threads);
    const bool all_tell = below(2) == 0;
    for (unsigned i = 0; i < count; ++i) {
      const unsigned b = below(blocks), t = below(threads);
      access(where, b, t, at, 4, false, false);
      if (!returned_[b][t] && (all_tell || i + 1 == count)) tell(b, t, to, writer);
    }
    access(where, to, writer, at, 4, true, false);
  }
  void barrier(unsigned b) {
    log_ += "barrier of block " + std::to_string(b) + "\n";
    clocks_[b].block_barrier();
    std::vector<unsigned> all(threads);
    for (unsigned t = 0; t < threads; ++t) all[t] = t;
    meet(b, all);
  }
  void warp_meets(unsigned b, unsigned warp) {
    log_ += "warp " + std::to_string(warp) + " of block " + std::to_string(b) + "\n";
    clocks_[b].warp_barrier(warp, ~0u, true);
    meet(b, lanes(warp, ~0u));
  }
  void lanes_meet(unsigned b, unsigned warp) {
    const auto mask = static_cast<std::uint32_t>(random_()) | 1u;
    log_ += "lanes " + std::to_string(mask) + " of warp " + std::to_string(warp) + " of block " +
            std::to_string(b) + "\n";
    clocks_[b].warp_barrier(warp, mask, false);
    meet(b, lanes(warp, mask));
  }
  static std::vector<unsigned> lanes(unsigned warp, std::uint32_t mask) {
    std::vector<unsigned> all;
    for (unsigned lane = 0; lane < cuemu::warp_width; ++lane)
      if ((mask >> lane & 1u) != 0) all.push_back(warp * cuemu::warp_width + lane);
    return all;
  }

 public:
  unsigned told() const { return told_; }

 private:
  std::mt19937 random_;
  const bool is_cluster_;
  Memory global_;
  std::array<std::unique_ptr<Memory>, blocks> shared_;
  std::array<BlockClocks, blocks> clocks_;
  std::array<std::vector<Seen>, blocks> seen_;  ///< by thread: numbers of accesses
  std::array<std::vector<bool>, blocks> returned_;
  std::vector<Done> all_;
  std::uint32_t era_ = 0, settled_ = 0;
  unsigned told_ = 0;
  std::string log_;
};

class Shadow : public testing::TestWithParam<unsigned> {
 protected:
  void check(bool is_cluster) const {
    epochs.prepare();
    epochs.clear();
    unsigned told = 0;
    for (unsigned round = 0; round < 12 && !HasFatalFailure(); ++round) {
      Both both(GetParam() * 1000 + round, is_cluster);
      for (int i = 0; i < 3 && !HasFatalFailure(); ++i) both.launch();
      told += both.told();
    }
    EXPECT_GT(told, 100u);  // otherwise the programs contain too few flags
  }
};

TEST_P(Shadow, SaysWhatTheReferenceSays) {
  check(false);
}
TEST_P(Shadow, OfAClusterSaysWhatTheReferenceSays) {
  check(true);
}
INSTANTIATE_TEST_SUITE_P(Random, Shadow, testing::Range(1u, 9u));

}  // namespace
