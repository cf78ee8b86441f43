#include "clocks.hpp"

#include <algorithm>

namespace cuemu::check {

namespace {
bool before(const ClockEntry& bound, std::uint64_t party) {
  return bound.party < party;
}
}  // namespace

std::uint32_t VectorClock::bound(std::uint64_t party) const {
  const auto found = std::lower_bound(bounds_.begin(), bounds_.end(), party, before);
  return found != bounds_.end() && found->party == party ? found->clock : 0;
}

bool VectorClock::covers(const Stamp& stamp) const {
  if (stamp.clock < bound(whole_block(stamp.block))) return true;
  const auto spread = static_cast<Spread>(stamp.spread);
  if (spread == Spread::block) return false;
  if (spread != Spread::grid && stamp.clock < bound(warp_of(stamp.block, stamp.thread / warp_width)))
    return true;
  // Of accesses by several blocks, only the last one is stored. A thread that has acquired from this access
  // by a counter or a flag has usually acquired from all of them.
  return spread != Spread::warp && stamp.clock < bound(thread_of(stamp.block, stamp.thread));
}

bool VectorClock::knows_of(std::uint32_t block) const {
  const auto found = std::lower_bound(bounds_.begin(), bounds_.end(), whole_block(block), before);
  return found != bounds_.end() && found->party >> 12 == block;
}

void VectorClock::raise(std::uint64_t party, std::uint32_t clock) {
  if (clock == 0) return;
  const auto found = std::lower_bound(bounds_.begin(), bounds_.end(), party, before);
  if (found != bounds_.end() && found->party == party)
    found->clock = std::max(found->clock, clock);
  else
    bounds_.insert(found, {party, clock});
}

void VectorClock::merge(const VectorClock& other) {
  std::vector<ClockEntry> both;
  both.reserve(bounds_.size() + other.bounds_.size());
  auto a = bounds_.begin();
  auto b = other.bounds_.begin();
  while (a != bounds_.end() || b != other.bounds_.end()) {
    if (b == other.bounds_.end() || (a != bounds_.end() && a->party < b->party)) {
      both.push_back(*a++);
    } else if (a == bounds_.end() || b->party < a->party) {
      both.push_back(*b++);
    } else {
      both.push_back({a->party, std::max(a->clock, b->clock)});
      ++a, ++b;
    }
  }
  bounds_ = std::move(both);
}

bool VectorClock::includes(const VectorClock& other) const {
  if (other.bounds_.size() > bounds_.size()) return false;
  auto mine = bounds_.begin();
  for (const ClockEntry& one : other.bounds_) {
    while (mine != bounds_.end() && mine->party < one.party) ++mine;
    if (mine == bounds_.end() || mine->party != one.party || mine->clock < one.clock) return false;
  }
  return true;
}

VectorClock VectorClock::of(std::vector<ClockEntry> entries) {
  std::sort(entries.begin(), entries.end(), [](const ClockEntry& a, const ClockEntry& b) {
    return a.party < b.party || (a.party == b.party && a.clock > b.clock);
  });
  entries.erase(std::unique(entries.begin(), entries.end(),
                            [](const ClockEntry& a, const ClockEntry& b) { return a.party == b.party; }),
                entries.end());
  VectorClock clock;
  clock.bounds_ = std::move(entries);
  return clock;
}

void VectorClock::prune(std::uint32_t block, std::uint32_t base) {
  bounds_.erase(std::remove_if(bounds_.begin(), bounds_.end(),
                               [&](const ClockEntry& bound) {
                                 return bound.party >> 12 == block && bound.clock <= base;
                               }),
                bounds_.end());
}

VectorClockPtr merged(const VectorClockPtr& a, const VectorClockPtr& b) {
  if (a == nullptr || a == b) return b;
  if (b == nullptr || a->includes(*b)) return a;
  if (b->includes(*a)) return b;
  auto both = std::make_shared<VectorClock>(*a);
  both->merge(*b);
  return both;
}

void BlockClocks::begin(std::uint32_t era_, std::uint32_t block_, std::uint32_t count) {
  era = era_;
  block = block_;
  clock = 1;
  base = barriers = fenced_base = fences_ = 0;
  any_known = parts_meet = false;
  cluster_base = nullptr;
  settled = Epochs::outside_kernels + 1;
  leave_fast_path();
  std::fill(std::begin(own_time_), std::end(own_time_), 0u);
  newest_tick_ = {};
  std::fill(std::begin(last_tick_), std::end(last_tick_), Tick{});
  std::fill(std::begin(warp_base), std::end(warp_base), 0u);
  // Resets the threads only if some have individual times; in most kernels none have.
  if (any_thread_differs_ || threads.size() != count) threads.assign(count, ThreadClock{});
  any_thread_differs_ = false;
}

std::uint32_t BlockClocks::new_epoch(Tick& last, std::uint32_t time) {
  if (newest_tick_.clock != time || newest_tick_.era != era)
    newest_tick_ = {era, time, epochs.add({era, block, time})};
  last = newest_tick_;
  return last.epoch;
}

void BlockClocks::prepare_warps(unsigned t) {
  const std::uint32_t time = warp_time(t / warp_width);
  const Tick tick{era, time, epoch(t)};
  for (std::size_t warp = 0; warp * warp_width < threads.size(); ++warp) {
    if (fast_epoch[warp] != 0 || warp_time(warp) != time || own_time_[warp] > time) continue;
    last_tick_[warp] = tick;
    fast_epoch[warp] = tick.epoch;
  }
}

void BlockClocks::block_barrier() {
  ++barriers;
  if (fences_ != 0) {
    std::uint32_t least = clock;
    for (const ThreadClock& thread : threads) least = std::min(least, thread.fence);
    fenced_base = std::max(fenced_base, least);
  }
  fences_ = 0;
  base = ++clock;
  ++clock;
  settled = static_cast<std::uint32_t>(epochs.size());
  leave_fast_path();
  if (!any_known) return;
  VectorClockPtr all;
  VectorClockPtr fenced;
  for (const ThreadClock& thread : threads) all = merged(all, thread.known);
  if (all != nullptr) {
    auto kept = std::make_shared<VectorClock>(*all);
    kept->prune(block, base);
    all = std::move(kept);
  }
  for (ThreadClock& thread : threads) thread.known = all;
  any_known = all != nullptr && !all->empty();
}

void BlockClocks::warp_barrier(unsigned warp, std::uint32_t lanes, bool whole) {
  fast_epoch[warp] = 0;
  if (whole) {
    warp_base[warp] = ++clock;
    ++clock;
    if (!any_known) return;
    VectorClockPtr all;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
      all = merged(all, threads[warp * warp_width + static_cast<unsigned>(__builtin_ctz(rest))].known);
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
      threads[warp * warp_width + static_cast<unsigned>(__builtin_ctz(rest))].known = all;
    return;
  }
  std::vector<unsigned> members;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    members.push_back(warp * warp_width + static_cast<unsigned>(__builtin_ctz(rest)));
  group_barrier(members);
}

void BlockClocks::group_barrier(const std::vector<unsigned>& members) {
  const std::uint32_t bound = ++clock;
  ++clock;
  auto all = std::make_shared<VectorClock>();
  const VectorClock* last = nullptr;
  for (const unsigned t : members) {
    if (threads[t].known != nullptr && threads[t].known.get() != last) all->merge(*threads[t].known);
    last = threads[t].known.get();
  }
  all->prune(block, base);
  for (const unsigned t : members) {
    all->raise(VectorClock::thread_of(block, t), bound);
    // Members of other warps also acquire the knowledge that this member has acquired at its warp's barrier.
    const unsigned warp = t / warp_width;
    if (warp_base[warp] > base) all->raise(VectorClock::warp_of(block, warp), warp_base[warp]);
  }
  for (const unsigned t : members) {
    threads[t].known = all;
    threads[t].clock = bound;
    own_time_[t / warp_width] = bound;
  }
  any_known = parts_meet = any_thread_differs_ = true;
  leave_fast_path();
}

void BlockClocks::grid_barrier(std::uint32_t new_era) {
  era = new_era;
  block_barrier();
}

void BlockClocks::cluster_barrier(const std::vector<BlockClocks*>& blocks,
                                  const std::vector<ClockEntry>& ended) {
  auto base = std::make_shared<VectorClock>();
  VectorClockPtr all;
  for (BlockClocks* const each : blocks) {
    each->block_barrier();
    base->raise(VectorClock::whole_block(each->block), each->base);
    if (each->any_known) all = merged(all, each->threads.front().known);
  }
  for (const ClockEntry& one : ended) base->raise(one.party, one.clock);
  if (all != nullptr) {
    auto kept = std::make_shared<VectorClock>(*all);
    for (const BlockClocks* const each : blocks) kept->prune(each->block, each->base);
    all = std::move(kept);
  }
  for (BlockClocks* const each : blocks) {
    each->cluster_base = base;
    each->any_known = all != nullptr && !all->empty();
    each->any_thread_differs_ = true;
    for (ThreadClock& thread : each->threads) thread.known = each->any_known ? all : nullptr;
  }
}

bool BlockClocks::saw_by_any(const Stamp& stamp) const {
  if (saw(stamp, 0)) return true;
  const VectorClock* last = threads.front().known.get();
  for (unsigned t = 1; t < threads.size(); ++t) {
    if (threads[t].known.get() == last) continue;
    last = threads[t].known.get();
    if (saw(stamp, t)) return true;
  }
  return false;
}

void BlockClocks::fence(unsigned t) {
  any_thread_differs_ = true;
  ThreadClock& me = threads[t];
  me.fence = ++clock;
  me.clock = clock;
  me.fence_base = base;
  me.fence_warp = warp_base[t / warp_width];
  me.fence_known = me.known;
  me.fence_cluster = cluster_base;
  ++fences_;
  own_time_[t / warp_width] = clock;
  fast_epoch[t / warp_width] = 0;
}

Published BlockClocks::published(unsigned t) const {
  const ThreadClock& me = threads[t];
  if (me.fence == 0 && fenced_base == 0) return {};
  return {me.fence_known,
          me.fence_cluster,
          {{VectorClock::whole_block(block), std::max(me.fence_base, fenced_base)},
           {VectorClock::warp_of(block, t / warp_width), me.fence_warp},
           {VectorClock::thread_of(block, t), me.fence}},
          true};
}

VectorClockPtr Published::joined() const {
  if (!any) return nullptr;
  auto all = std::make_shared<VectorClock>();
  for (const VectorClockPtr& part : {known, cluster})
    if (part != nullptr) all->merge(*part);
  for (const ClockEntry& one : own) all->raise(one.party, one.clock);
  return all;
}

void BlockClocks::learn(unsigned t, const VectorClockPtr& known) {
  if (known == nullptr) return;
  threads[t].known = merged(threads[t].known, known);
  any_known = any_thread_differs_ = true;
  leave_fast_path();
}

void Channels::write(std::uint64_t address, const VectorClockPtr& known, bool keeps_old) {
  if (known == nullptr) {
    if (!keeps_old) at_.erase(address);
    return;
  }
  VectorClockPtr& here = at_[address];
  here = keeps_old ? merged(here, known) : known;
}

VectorClockPtr Channels::read(std::uint64_t address) const {
  const auto found = at_.find(address);
  return found != at_.end() ? found->second : nullptr;
}

void Phases::arrive(std::uint64_t barrier, const Published& published) {
  if (!published.any) return;
  Barrier& here = at_[barrier];
  for (const ClockEntry& one : published.own)
    if (one.clock != 0) here.own.push_back(one);
  for (const VectorClockPtr& part : {published.known, published.cluster}) {
    if (part == nullptr || part == here.last) continue;
    here.arriving = merged(here.arriving, part);
    here.last = part;
  }
}

void Phases::end(std::uint64_t barrier) {
  Barrier& here = at_[barrier];
  VectorClockPtr own;
  if (!here.own.empty()) own = std::make_shared<VectorClock>(VectorClock::of(std::move(here.own)));
  here.over = merged(here.over, merged(here.arriving, own));
  here.arriving = here.last = nullptr;
  here.own.clear();
}

VectorClockPtr Phases::over(std::uint64_t barrier) const {
  const auto found = at_.find(barrier);
  return found != at_.end() ? found->second.over : nullptr;
}

}  // namespace cuemu::check
