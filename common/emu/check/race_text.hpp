// What is said of a race within one launch: who, what is missing between the two, and where it belongs.
#pragma once

#include <string>

#include "findings.hpp"
#include "loops.hpp"
#include "shadow.hpp"

namespace cuemu::check {

struct RaceFacts {
  Spread spread;         ///< how far the two are apart
  bool block_is_a_warp;  ///< or less
  bool before_writes, now_writes;
  bool before_atomic, now_atomic;
  bool in_shared;
  const BarrierCounts& barriers;
};

/// "two threads of block (0,0,0)"
/// @param block its place in the grid
std::string who_races(const RaceFacts& facts, const std::string& block);
/// "with no barrier between them"
std::string missing_order(const RaceFacts& facts);
/// For Finding::first. The finding's parties are known.
std::string first_turn(const RaceFacts& facts, const Finding& finding);
/// The same for Finding::hint.
std::string race_hint(const RaceFacts& facts, const Finding& finding);

}  // namespace cuemu::check
