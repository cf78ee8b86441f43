// cooperative_groups::reduce: the values of a group's threads combined, given to all of them.
#pragma once

#include "cooperative_groups.h"
#include "cuemu/group_operators.hpp"

namespace cooperative_groups {

/// Combines `value` of all threads of a group within a warp, in the order of their ranks, and gives the
/// result to all. `operation(a, b)` is plus, less, greater, bit_and, bit_or, bit_xor, or any function object.
template <typename Value, typename Operation>
inline Value reduce(const lane_group& group, const Value value, Operation&& operation,
                    const SourceLine where = SourceLine::here()) {
  return cuemu::detail::reduce(
      group.lanes(), cuemu::Collective::group, value, where,
      [&operation](const Value& a, const Value& b) { return static_cast<Value>(operation(a, b)); });
}

}  // namespace cooperative_groups
