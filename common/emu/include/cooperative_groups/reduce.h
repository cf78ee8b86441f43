// cooperative_groups::reduce: combines the values of a group's threads, and returns the result to all of them.
#pragma once
#define _COOPERATIVE_GROUPS_REDUCE_H

#include "cuemu/push_macros.hpp"

#include "cooperative_groups.h"
#include "cuemu/group_operators.hpp"

namespace cooperative_groups {

/// Combines `value` of all threads of a group within a warp, in the order of their ranks, and returns the result to all
/// threads. `operation(a, b)` is plus, less, greater, bit_and, bit_or, bit_xor, or any function object.
template <typename Value, typename Operation>
inline Value reduce(const lane_group& group, const Value value, Operation&& operation,
                    const SourceLine where = SourceLine::here()) {
  return cuemu::detail::reduce(
      group.lanes(), cuemu::Collective::group, value, where,
      [&operation](const Value& a, const Value& b) { return static_cast<Value>(operation(a, b)); });
}

template <unsigned Size, typename Value, typename Operation>
inline Value reduce(const wide_tile<Size>& group, const Value value, Operation&& operation,
                    const SourceLine where = SourceLine::here()) {
  struct Reduction : cuemu::Call {
    Value value;
  };
  Reduction mine{group.call(sizeof(Value)), value};
  group.collective(mine, where, [&operation](Reduction* const* calls) {
    Value total = calls[0]->value;
    for (unsigned rank = 1; rank < Size; ++rank)
      total = static_cast<Value>(operation(total, calls[rank]->value));
    for (unsigned rank = 0; rank < Size; ++rank) calls[rank]->value = total;
  });
  return mine.value;
}

/// Combines the values of the group's threads, and then combines the result with `destination`, a cuda::atomic.
template <typename Group, typename Atomic, typename Value, typename Operation>
inline void reduce_update_async(const Group& group, Atomic& destination, const Value value,
                                Operation&& operation, const SourceLine where = SourceLine::here()) {
  const Value total = reduce(group, value, operation, where);
  if (group.thread_rank() != 0) return;
  Value old = destination.load();
  while (!destination.compare_exchange_weak(old, static_cast<Value>(operation(old, total)))) {
  }
}
/// Combines the values of the group's threads, and stores the result in `destination`.
template <typename Group, typename To, typename Value, typename Operation>
inline void reduce_store_async(const Group& group, To* const destination, const Value value,
                               Operation&& operation, const SourceLine where = SourceLine::here()) {
  const Value total = reduce(group, value, operation, where);
  if (group.thread_rank() == 0) *destination = total;
}
template <typename Group, typename Atomic, typename Value, typename Operation,
          typename = decltype(static_cast<Atomic*>(nullptr)->load())>
inline void reduce_store_async(const Group& group, Atomic& destination, const Value value,
                               Operation&& operation, const SourceLine where = SourceLine::here()) {
  const Value total = reduce(group, value, operation, where);
  if (group.thread_rank() == 0) destination.store(total);
}

}  // namespace cooperative_groups

#include "cuemu/pop_macros.hpp"
