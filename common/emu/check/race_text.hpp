// The text about a race within one launch: the threads, the missing operation between them, and its place.
#pragma once

#include <string>

#include "findings.hpp"
#include "race_facts.hpp"

namespace cuemu::check {

/// The smallest group that contains both threads.
Group group_of(const RaceFacts& facts);
/// The racing threads: "two threads of block (0,0,0)"
/// @param block the block's position in the grid
std::string who_races(const RaceFacts& facts, const std::string& block);
/// The missing order: "with no barrier between them".
std::string missing_order(const RaceFacts& facts);
/// The text for Finding::first. The finding's parties must be set.
std::string first_turn(const RaceFacts& facts, const Finding& finding);
/// Decides which operation is missing between the two accesses, and sets Finding::missing and Finding::hint. The
/// finding's parties and array must be set.
void name_missing_order(const RaceFacts& facts, Finding& finding);

}  // namespace cuemu::check
