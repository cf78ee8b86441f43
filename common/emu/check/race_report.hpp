// Reports two accesses by different launches, copies, or the host.
#pragma once

#include "checker.hpp"
#include "timeline.hpp"

namespace cuemu::check {

/// One side of such a race.
struct Actor {
  std::uint32_t era = 0;
  unsigned kind = 0;         ///< bits of AccessKind
  Site site = 0;             ///< 0 for copies and fills: the location of the host's call counts
  std::uint32_t thread = 0;  ///< the thread of a kernel
  std::uint32_t block = 0;
};
/// Returns the AccessKind of a mark in shadow memory.
unsigned kind_of(const Stamp& stamp, bool write);
Actor actor_of(const Stamp& stamp, bool write);
Actor actor_of(const BoxAccess& box);

/// Adds the finding that the unordered actors `before` and `now` accessed the element at `address`.
/// @param element the element's name if it is known; otherwise the region gives the name
/// @param size the size of the access; 0 if other accesses to the region give it
void report_unordered(const Region& region, std::uintptr_t address, std::size_t size, const Actor& before,
                      const Actor& now);

}  // namespace cuemu::check
