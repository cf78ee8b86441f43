// Reports data races: two unordered accesses to the same memory, at least one of them a write, that are not
// both atomic in a scope that contains both threads. The shadow memory contains the earlier accesses. The
// clocks determine the order.
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include "checker.hpp"
#include "marks.hpp"
#include "naming.hpp"
#include "options.hpp"
#include "race_report.hpp"
#include "race_text.hpp"

namespace cuemu::check {

namespace {

/// Returns the mbarrier where the two threads of a race in one block wait for each other, if there is one.
std::optional<MeetingPlace> place_of_meeting(const BlockState& state, const Stamp& first, const Stamp& second,
                                             Spread spread) {
  if (spread == Spread::grid) return {};
  const auto meeting = state.mbarriers.between(first, second.thread, state.clocks.base);
  if (!meeting) return {};
  MeetingPlace place{"", false, meeting->arrives};
  for (const std::uintptr_t barrier : meeting->barriers) {
    if (!state.arena->contains(barrier, sizeof(std::uint64_t))) return place;
    const ElementPlace at = place_of(state, *state.arena, barrier, sizeof(std::uint64_t));
    if (at.dynamic || (barrier != meeting->barriers.front() && at.array != place.name))
      return MeetingPlace{"", false, meeting->arrives};
    place.name = at.array;
    place.of_pipeline = at.type.find("pipeline_shared_state") != at.type.npos;
  }
  return place;
}

/// Returns the counts of the barriers that both racing threads have passed. Outside a cooperative launch, two
/// blocks share no barrier; then the block's own barriers give the iteration of a loop.
const BarrierCounts& barriers_for(const BlockState& state, Spread spread, bool in_shared) {
  if (spread != Spread::grid) return state.barriers;
  if (in_shared) return state.cluster_barriers;
  return state.launch->cooperative ? state.grid_barriers : state.barriers;
}

/// Returns the thread's index in the grid: blockIdx.x * blockDim.x + threadIdx.x, and the same in y and z.
std::array<std::uint32_t, 3> global_index(const LaunchView& launch, const Stamp& stamp) {
  const kit_wire::Index block = index_of(launch.grid, stamp.block),
                        thread = index_of(launch.block, stamp.thread);
  return {block[0] * launch.block.x + thread[0], block[1] * launch.block.y + thread[1],
          block[2] * launch.block.z + thread[2]};
}

RacingThreads racing_threads(const LaunchView& launch, const Stamp& before, const Stamp& now,
                             bool between_blocks, std::uintptr_t address) {
  const bool is_known =
      before.thread != now.thread || before.block != now.block;  // else one of several readers
  constexpr std::uint32_t unknown = ~0u;
  return {is_known ? global_index(launch, before) : std::array{unknown, unknown, unknown},
          global_index(launch, now),
          before.thread,
          now.thread,
          before.block,
          now.block,
          between_blocks,
          address};
}

/// Returns the first of the grid's dimensions in which the positions of two blocks differ.
char axis_between(const dim3& grid, std::uint32_t a, std::uint32_t b) {
  if (a % grid.x != b % grid.x) return 'x';
  return a / grid.x % grid.y != b / grid.x % grid.y ? 'y' : 'z';
}

class RaceRule final : public RuleObserver {
 public:
  bool wants_accesses() const override { return true; }
  void accessed(const Access& access) override;
  // After these events, other threads may write the element by the fast path, which calls no rule.
  void block_synchronised(BlockView) override { look_at_overwritten(); }
  void warp_synchronised(BlockView, unsigned, std::uint32_t) override { look_at_overwritten(); }
  void group_synchronised(BlockView, const std::vector<WaitingThread>&) override { look_at_overwritten(); }
  void grid_synchronised(const LaunchView&, std::uint64_t) override { look_at_overwritten(); }
  void block_ends(BlockView) override { look_at_overwritten(); }
  void launch_ends(const LaunchView&) override { look_at_overwritten(); }  // also if a block was stopped

 private:
  void look_at_overwritten();
  bool reads_source(const Access& access);
  void check_copies(const Access& access, const Mark& me);
  bool keep_other_read(const Access& access, const Cell& cell, const Mark& me);
  bool check_other_read(const Access& access, const Cell& cell, const Mark& me, Mark& other);
  void visit_all(const Access& access, const Mark& me);
  [[gnu::noinline]] void report(const Access& access, std::uintptr_t address, const Stamp& before,
                                const Stamp& now, bool before_writes, bool unwritten);

  /// The last race between two plain writes, until the second write is complete. If it stores the same value,
  /// the race is harmless.
  struct Overwritten {
    std::vector<std::uint64_t> key;
    std::uintptr_t address = 0;
    std::size_t size = 0;
    std::array<unsigned char, 16> before{};
    bool by_same_thread = false;  ///< the same thread of another block made the first write
    std::uint64_t block = 0;      ///< the second write's block; the next members describe that write
    unsigned thread = 0;
    Site site = 0;
  };
  Overwritten overwritten_;

  // The last race between a plain read and atomic updates. It is dropped if the reader's own compare-and-swap
  // shows that a stale value was harmless.
  std::vector<std::uint64_t> stale_read_;
  std::uintptr_t stale_address_ = 0;
  std::uint64_t stale_block_ = 0;
  unsigned stale_thread_ = 0;
};

void RaceRule::accessed(const Access& access) {
  if (overwritten_.size != 0 && !reads_source(access)) look_at_overwritten();
  BlockClocks& clocks = access.block.clocks;
  const unsigned kind = access.kind;
  const bool narrow = access.in_shared ? (kind & is_volatile) != 0 : (kind & block_scope) != 0;
  const Mark me(clocks.epoch(access.thread), access.thread, (kind & (is_atomic | is_volatile)) != 0, narrow,
                access.site);
  if (!access.region.boxes.empty()) check_copies(access, me);
  visit_all(access, me);
}

/// Returns whether this read belongs to the copy of a structure. g++ reports such a copy as the write, then
/// the read, and only then copies. So the write is not complete yet.
bool RaceRule::reads_source(const Access& access) {
  if ((access.kind & writes) != 0 || access.size != overwritten_.size ||
      access.thread != overwritten_.thread || access.block.id() != overwritten_.block)
    return false;
  const Site site = std::exchange(overwritten_.site, 0);  // the record is valid for one access only
  return site != 0 && line_of(address_of(site)) == line_of(address_of(access.site));
}

void RaceRule::look_at_overwritten() {
  if (overwritten_.size != 0 &&
      std::memcmp(overwritten_.before.data(), reinterpret_cast<const void*>(overwritten_.address),
                  overwritten_.size) == 0) {
    if (options().strict)
      Findings::get().note_same_value(overwritten_.key);
    else
      Findings::get().forgive(overwritten_.key, overwritten_.by_same_thread);
  }
  overwritten_.size = 0;
}

void RaceRule::visit_all(const Access& access, const Mark& me) {
  BlockState& state = access.block;
  const unsigned kind = access.kind;
  if ((kind & compares) != 0 && stale_address_ == access.address && stale_thread_ == access.thread &&
      stale_block_ == state.id()) {
    Findings::get().forgive(stale_read_);
    stale_address_ = 0;
  }
  const bool write = (kind & writes) != 0;
  bool raced = false;
  for (std::size_t i = 0; i < access.cell_count; ++i) {
    Cell& cell = access.cells[i];
    Mark other;
    bool other_writes = false;
    const bool unwritten = access.in_shared && cell.write.empty();
    if (!write && keep_other_read(access, cell, me)) cell.read = Mark();
    bool race =
        note_access(cell, me, {state.clocks, access.region, write, access.in_shared, access.handed_on}, other,
                    other_writes);
    if (write && !race && !access.region.more_reads.empty()) race = check_other_read(access, cell, me, other);
    if (race && !raced) {
      raced = true;
      report(access, access.address_of_cell(i), other.stamp(), me.stamp(), other_writes, unwritten);
    }
  }
}

/// Keeps another launch's read that may run concurrently with this launch. A new read replaces the last read
/// in the cell, so the old one is kept separately.
bool RaceRule::keep_other_read(const Access& access, const Cell& cell, const Mark& me) {
  constexpr std::size_t most = 1u << 20;
  if (access.in_shared || cell.read.empty() || cell.read.epoch() == me.epoch()) return false;
  const BlockClocks& clocks = access.block.clocks;
  const std::uint32_t era = epochs[cell.read.epoch()].era;
  if (era == clocks.era || clocks.saw(cell.read.stamp(), access.thread) ||
      access.region.more_reads.size() >= most)
    return false;
  access.region.more_reads[&cell] = cell.read;
  access.region.leave_fast_path();
  return true;
}

/// Checks a write against reads that were kept separately.
bool RaceRule::check_other_read(const Access& access, const Cell& cell, const Mark& me, Mark& other) {
  const auto found = access.region.more_reads.find(&cell);
  if (found == access.region.more_reads.end()) return false;
  other = found->second;
  access.region.more_reads.erase(found);
  return !access.block.clocks.saw(other.stamp(), access.thread) &&
         !atomic_together(other, me, access.in_shared);
}

/// Checks an access against copies and fills that do not happen before the launch. Usually there are none.
void RaceRule::check_copies(const Access& access, const Mark& me) {
  Region& region = access.region;
  const BlockClocks& clocks = access.block.clocks;
  if (region.open_for != clocks.era) {
    region.open_for = clocks.era;
    region.open.clear();
    for (const BoxAccess& box : region.boxes)
      if (!Timeline::get().saw(*clocks.operation, box.era)) region.open.push_back(box);
  }
  for (const BoxAccess& box : region.open)
    if ((box.write || (access.kind & writes) != 0) && box.touches(access.address, access.size)) {
      report_unordered(region, access.address, access.size, actor_of(box),
                       {clocks.era, access.kind, me.site(), me.thread(), clocks.block});
      return;
    }
}

void RaceRule::report(const Access& access, std::uintptr_t address, const Stamp& before, const Stamp& now,
                      bool before_writes, bool unwritten) {
  BlockState& state = access.block;
  const unsigned kind = access.kind;
  if (before.era != now.era) {
    report_unordered(access.region, address, access.size, actor_of(before, before_writes),
                     {now.era, kind, now.site, now.thread, now.block});
    return;
  }
  Spread spread = before.block != now.block                               ? Spread::grid
                  : before.thread / warp_width == now.thread / warp_width ? Spread::warp
                                                                          : Spread::block;
  if (before.thread == now.thread) spread = std::max(spread, static_cast<Spread>(before.spread));
  const std::vector<std::uint64_t> key = {static_cast<std::uint64_t>(Rule::race),
                                          static_cast<std::uint64_t>(spread),
                                          before.site,
                                          now.site,
                                          array_key(state, access.region, address),
                                          before_writes ? 1u : 0u};
  if (before.atomic != 0 && before_writes && (kind & (writes | is_atomic)) == 0) {
    stale_read_ = key;
    stale_address_ = address;
    stale_thread_ = now.thread;
    stale_block_ = state.id();
  }
  if (before_writes && (kind & (writes | is_atomic)) == writes && before.atomic == 0 &&
      access.size <= overwritten_.before.size()) {
    overwritten_.key = key;
    overwritten_.address = access.address;
    overwritten_.size = access.size;
    overwritten_.block = state.id();
    overwritten_.thread = now.thread;
    overwritten_.site = now.site;
    overwritten_.by_same_thread = before.block != now.block && before.thread == now.thread;
    std::memcpy(overwritten_.before.data(), reinterpret_cast<const void*>(access.address), access.size);
  }
  Findings::get().add(key, state.id(), [&] {
    Finding finding;
    finding.rule = Rule::race;
    finding.kernel = state.launch->kernel->info.name;
    std::string element = element_name(state, access.region, address, access.size, finding);
    if (access.in_shared && spread == Spread::grid)
      element += " of block " + point(state.launch->grid, access.home.clocks.block);
    const bool now_writes = (kind & writes) != 0;
    const bool of_nothing = unwritten && !before_writes;
    const bool is_own = before.thread == now.thread && before.block == now.block;
    const dim3& threads = state.launch->block;
    const RaceFacts facts{
        spread,
        threads.x * threads.y * threads.z <= warp_width,
        before_writes,
        now_writes,
        before.atomic != 0,
        now.atomic != 0,
        access.in_shared,
        state.launch->cooperative,
        of_nothing,
        is_own && !before_writes,
        place_of_meeting(state, of_nothing ? now : before, of_nothing ? before : now, spread),
        barriers_for(state, spread, access.in_shared),
        axis_between(state.launch->grid, before.block, now.block)};
    finding.headline = who_races(facts, point(state.launch->grid, now.block)) + " touch " + element + " " +
                       missing_order(facts);
    // A read after a write is clearer to the user than a write after a read, so a finding with such a read is
    // preferred.
    finding.weight = 2 * static_cast<int>(spread) + (before_writes ? 1 : 0);
    const bool with_block = spread == Spread::grid;
    finding.parties = {
        party(state, kind_of(before, before_writes), before.site, before.thread, before.block, with_block),
        party(state, kind, now.site, now.thread, now.block, with_block)};
    // If the mark represents several reads, it names only the last one.
    if (is_own) {
      finding.parties[0].what = verb_of(kind_of(before, before_writes)) + " by other threads too";
      finding.parties[0].thread.reset();
      finding.parties[0].block.reset();
    }
    finding.first = first_turn(facts, finding);
    finding.between = group_of(facts);
    finding.grid = state.launch->grid;
    finding.block = state.launch->block;
    name_missing_order(facts, finding);
    return finding;
  });
  Findings::get().note_threads(
      key, racing_threads(*state.launch, before, now, spread == Spread::grid, access.address));
}

}  // namespace

RulePtr make_race_rule() {
  return std::make_unique<RaceRule>();
}

}  // namespace cuemu::check
