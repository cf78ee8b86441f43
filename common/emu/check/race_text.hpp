// What is said of a race within one launch: who, what is missing between the two, and where it belongs.
#pragma once

#include <optional>
#include <string>

#include "findings.hpp"
#include "loops.hpp"
#include "shadow.hpp"

namespace cuemu::check {

/// An mbarrier at which the two threads meet: a __syncthreads() is not for both of them.
struct MeetingPlace {
  std::string name;      ///< of the variable, empty where it is not known
  bool of_pipeline;      ///< it belongs to a cuda::pipeline
  bool wait_is_missing;  ///< and nothing else: who is to be first arrives there
};

struct RaceFacts {
  Spread spread;         ///< how far the two are apart
  bool block_is_a_warp;  ///< or less
  bool before_writes, now_writes;
  bool before_atomic, now_atomic;
  bool in_shared;   ///< two blocks are of one cluster then
  bool of_nothing;  ///< the first is a read of what the block had not written: meant to come behind the write
  bool
      others_read;  ///< the first are reads by several threads, and the one that is known is by who writes now
  std::optional<MeetingPlace> meeting;
  const BarrierCounts& barriers;  ///< those that are for both
  char axis;                      ///< x, y or z: of two blocks, a dimension in which they differ
};

/// The smallest group that both belong to.
Group group_of(const RaceFacts& facts);
/// "two threads of block (0,0,0)"
/// @param block its place in the grid
std::string who_races(const RaceFacts& facts, const std::string& block);
/// "with no barrier between them"
std::string missing_order(const RaceFacts& facts);
/// For Finding::first. The finding's parties are known.
std::string first_turn(const RaceFacts& facts, const Finding& finding);
/// Decides what is missing between the two, for Finding::missing, and says so in Finding::hint. The finding's parties and
/// its array are known.
void tell_what_is_missing(const RaceFacts& facts, Finding& finding);

}  // namespace cuemu::check
