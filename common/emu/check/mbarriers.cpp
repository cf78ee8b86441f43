#include "mbarriers.hpp"

#include <algorithm>

namespace cuemu::check {

void Mbarriers::note(std::uintptr_t barrier, std::vector<std::uint32_t> Uses::*how, unsigned thread,
                     std::uint32_t clock) {
  Uses& uses = all_[barrier];
  uses.used = true;
  uses.arrived.resize(threads_);
  uses.waited.resize(threads_);
  (uses.*how)[thread] = clock;
}

std::optional<Meeting> Mbarriers::between(const Stamp& first, unsigned second, std::uint32_t since) const {
  bool meet = false;
  Meeting best;
  int best_fit = -1;
  for (const auto& [barrier, uses] : all_) {
    const std::uint32_t arrival = uses.arrived[first.thread], wait = uses.waited[second];
    const bool first_waits = uses.waited[first.thread] != 0;
    const std::uint32_t last = std::max({arrival, wait, uses.waited[first.thread], uses.arrived[second]});
    if (uses.used && last <= since) continue;
    const bool all_arrive = std::count(uses.arrived.begin(), uses.arrived.end(), 0u) == 0;
    meet |= !(all_arrive && wait != 0 && first_waits);
    // Two events make an mbarrier a candidate: the first thread arrives there, and the second waits there.
    // The mbarriers where most of these events happened are the best candidates.
    const int fit = (arrival != 0 ? 1 : 0) + (wait != 0 ? 1 : 0);
    if (fit > best_fit) best = {{}, true};
    if (fit >= best_fit) {
      best.barriers.push_back(barrier);
      best.arrives = best.arrives && arrival > first.clock;
    }
    best_fit = std::max(fit, best_fit);
  }
  if (!meet) return {};
  return best;
}

}  // namespace cuemu::check
