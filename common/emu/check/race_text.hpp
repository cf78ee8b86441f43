// Writes the text about a race within one launch: the threads, the operation missing between them, and its
// place.
#pragma once

#include <string>

#include "findings.hpp"
#include "race_facts.hpp"

namespace cuemu::check {

/// Returns the smallest group that contains both threads.
Group group_of(const RaceFacts& facts);
/// Describes the racing threads: "two threads of block (0,0,0)".
/// @param block the block's position in the grid
std::string who_races(const RaceFacts& facts, const std::string& block);
/// Describes the missing order: "with no barrier between them".
std::string missing_order(const RaceFacts& facts);
/// Returns the text for Finding::first. The finding's parties must be set.
std::string first_turn(const RaceFacts& facts, const Finding& finding);
/// Decides which operation is missing between the two accesses. Sets Finding::missing and Finding::hint. The
/// finding's parties and array must be set before.
void name_missing_order(const RaceFacts& facts, Finding& finding);

}  // namespace cuemu::check
