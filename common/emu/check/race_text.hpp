// What is said of a race within one launch: who, what is missing between the two, and where it belongs.
#pragma once

#include <string>

#include "findings.hpp"
#include "race_facts.hpp"

namespace cuemu::check {

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
