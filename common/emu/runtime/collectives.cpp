// The type-independent part of warp collectives (../include/cuemu/collective.hpp). It determines which lanes meet and
// which lane does the work. It also implements calls that exchange plain bytes: shuffles, votes and matches.
#include <cstdio>
#include <cstring>

#include "cuemu/collective.hpp"
#include "cuemu/warp.hpp"

namespace cuemu {

namespace {

const char* name(Collective kind) {
  constexpr const char* names[] = {"__syncwarp",        "__shfl_sync",       "__shfl_up_sync",
                                   "__shfl_down_sync",  "__shfl_xor_sync",   "__ballot_sync",
                                   "__any_sync",        "__all_sync",        "__uni_sync",
                                   "__match_any_sync",  "__match_all_sync",  "__reduce_add_sync",
                                   "__reduce_min_sync", "__reduce_max_sync", "__reduce_and_sync",
                                   "__reduce_or_sync",  "__reduce_xor_sync", "a cooperative group's call",
                                   "__activemask",      "a step of its warp"};
  return names[static_cast<int>(kind)];
}

bool same_call(const Call& a, const Call& b) {
  return a.mask == b.mask && a.kind == b.kind && a.bytes == b.bytes;
}

void copy_value(const detail::ShuffleCall& from, const detail::ShuffleCall& to) {
  switch (to.bytes) {
    case 4:
      __builtin_memcpy(to.result, from.value, 4);
      break;
    case 8:
      __builtin_memcpy(to.result, from.value, 8);
      break;
    default:
      std::memcpy(to.result, from.value, to.bytes);
  }
}

/// Stops the kernel if a waiting lane and this lane name each other in different calls, because neither could continue.
void check_partners(const Call& mine, Call* const* calls, unsigned me, SourceLine where) {
  const Call* const first = calls[detail::lowest(mine.mask)];
  if (first != nullptr && same_call(*first, mine)) return;  // already checked against the other lanes
  for (std::uint32_t rest = mine.mask; rest != 0; rest &= rest - 1) {
    const Call* const other = calls[detail::lowest(rest)];
    if (other != nullptr && (other->mask >> me & 1u) != 0 && !same_call(*other, mine))
      detail::stop_mismatch(mine, detail::lowest(rest), *other, where);
  }
}

}  // namespace

namespace detail {

[[gnu::cold]] void stop_outside_mask(const Call& mine, SourceLine where) {
  char text[256];
  std::snprintf(
      text, sizeof text,
      "%s:%d: lane %u calls %s with mask 0x%08x, in which it is not itself; name every lane that makes the "
      "call, for example with __ballot_sync before the branch",
      where.file, where.line, lane(), name(mine.kind), mine.mask);
  stop_kernel(kLaunchFailure, text);
}

[[gnu::cold]] void stop_mismatch(const Call& mine, unsigned other_lane, const Call& other, SourceLine where) {
  char text[384];
  std::snprintf(
      text, sizeof text,
      "%s:%d: lane %u calls %s with mask 0x%08x, while lane %u waits in %s with mask 0x%08x: lanes that name "
      "each other must make the same call with the same mask and type",
      where.file, where.line, lane(), name(mine.kind), mine.mask, other_lane, name(other.kind), other.mask);
  stop_kernel(kLaunchFailure, text);
}

Participants meet(Call& mine, SourceLine where) {
  Fiber& fiber = *current_fiber;
  const bool preemptible = fiber.preemptible;
  if (preemptible) set_preemptible(fiber, false);
  Call** const calls = calls_of_warp();
  const unsigned me = lane();
  if (__builtin_expect((mine.mask >> me & 1u) == 0, 0)) stop_outside_mask(mine, where);
  check_partners(mine, calls, me, where);
  calls[me] = &mine;
  warp_barrier(mine.mask, where);
  Participants participants{calls, 0, preemptible};
  if (calls[me] != nullptr)
    for_lanes(mine.mask, [&](unsigned lane) {
      if (calls[lane] != nullptr) participants.present |= 1u << lane;
    });
  else if (preemptible)
    set_preemptible(fiber, true);
  return participants;
}

void part(const Participants& served) {
  Call** const calls = calls_of_warp();
  for_lanes(served.present, [&](unsigned lane) { calls[lane] = nullptr; });
  if (served.preemptible) set_preemptible(*current_fiber, true);
}

void shuffle(ShuffleCall& mine, SourceLine where) {
  collective(mine, where, [](const Participants& warp) {
    for_lanes(warp.present, [&warp](unsigned lane) {
      auto& call = warp.call<ShuffleCall>(lane);
      call.found = (warp.present >> call.source & 1u) != 0;
      if (call.found)
        copy_value(warp.call<ShuffleCall>(call.source), call);
      else
        std::memset(call.result, 0, call.bytes);
    });
  });
}

void vote(VoteCall& mine, SourceLine where) {
  collective(mine, where, [](const Participants& warp) {
    std::uint32_t holds = 0;
    for_lanes(warp.present, [&](unsigned lane) {
      if (warp.call<VoteCall>(lane).predicate) holds |= 1u << lane;
    });
    for_lanes(warp.present, [&](unsigned lane) {
      warp.call<VoteCall>(lane).holds = holds;
      warp.call<VoteCall>(lane).present = warp.present;
    });
  });
}

void match(MatchCall& mine, SourceLine where) {
  collective(mine, where, [](const Participants& warp) {
    for (std::uint32_t left = warp.present; left != 0;) {
      const std::uint64_t wanted = warp.call<MatchCall>(lowest(left)).value;
      std::uint32_t equal = 0;
      for_lanes(left, [&](unsigned lane) {
        if (warp.call<MatchCall>(lane).value == wanted) equal |= 1u << lane;
      });
      for_lanes(equal, [&](unsigned lane) {
        warp.call<MatchCall>(lane).equal = equal;
        warp.call<MatchCall>(lane).present = warp.present;
      });
      left &= ~equal;
    }
  });
}

}  // namespace detail

[[gnu::noinline]] std::uint32_t converged_lanes(SourceLine where) {
  struct Point : Call {
    const void* site;
    int line;             ///< distinguishes calls without inlining
    std::uint32_t lanes;  ///< 0 until the result is known
  };
  const Uninterrupted whole(*current_fiber);
  Call** const calls = detail::calls_of_warp();
  Point mine{{0, Collective::converge, 0}, __builtin_return_address(0), where.line, 0};
  calls[lane()] = &mine;
  bool nobody_else = false;
  int patience = 1000;  // number of rounds in which lanes may only meet each other
  for (std::uint32_t seen = 0, meetings = 0;;) {
    std::uint32_t here = 0;
    for_lanes(active_mask(), [&](unsigned lane) {
      const Call* const call = calls[lane];
      if (call == nullptr || call->kind != Collective::converge) return;
      const Point& there = *static_cast<const Point*>(call);
      if (there.site == mine.site && there.line == mine.line) here |= 1u << lane;
    });
    const bool all_begun = warp_has_begun();
    // The wait ends when all lanes are here, when no new lane came in a whole round, or when no other lane can run.
    const std::uint32_t met = warp_state().released;
    const bool on_their_way = met != meetings && --patience > 0;
    meetings = met;
    if (here == active_mask() || (all_begun && here == seen && !on_their_way) || nobody_else) {
      for_lanes(here, [&](unsigned lane) {
        static_cast<Point*>(calls[lane])->lanes = here;
        calls[lane] = nullptr;
      });
      return here;
    }
    seen = all_begun ? here : 0;
    nobody_else = !yield_within_block();
    if (mine.lanes != 0) return mine.lanes;
  }
}

}  // namespace cuemu
