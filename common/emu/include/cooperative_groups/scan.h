// Prefix sums over the threads of a group: inclusive_scan and exclusive_scan, with any associative operation.
#pragma once
#define _COOPERATIVE_GROUPS_SCAN_H

#include "cuemu/push_macros.hpp"

#include "cooperative_groups.h"
#include "cuemu/group_operators.hpp"

namespace cooperative_groups {

namespace detail {

template <typename Value>
struct ScanCall : cuemu::Call {
  Value value;
  Value before;  ///< combination of all lower ranks; Value() for the first thread
};

/// Scans the values of the group: the returned call has the combination of all values up to the caller's.
template <typename Value, typename Operation>
inline ScanCall<Value> scan(const lane_group& group, const Value& value, Operation& operation,
                            const SourceLine where) {
  ScanCall<Value> mine{{group.lanes(), cuemu::Collective::group, sizeof(Value)}, value, Value()};
  cuemu::collective(mine, where, [&operation](const cuemu::Participants& warp) {
    const ScanCall<Value>* previous = nullptr;
    cuemu::for_lanes(warp.present, [&](const unsigned lane) {
      auto& call = warp.call<ScanCall<Value>>(lane);
      if (previous != nullptr) {
        call.before = previous->value;
        call.value = operation(call.before, call.value);
      }
      previous = &call;
    });
  });
  return mine;
}

template <typename Value>
struct WideScanCall : cuemu::Call {
  Value value;
  Value before;
};
template <unsigned Size, typename Value, typename Operation>
inline WideScanCall<Value> scan(const wide_tile<Size>& group, const Value& value, Operation& operation,
                                const SourceLine where) {
  using Kind = WideScanCall<Value>;
  Kind mine{group.call(sizeof(Value)), value, Value()};
  group.collective(mine, where, [&operation](Kind* const* calls) {
    for (unsigned rank = 1; rank < Size; ++rank) {
      calls[rank]->before = calls[rank - 1]->value;
      calls[rank]->value = static_cast<Value>(operation(calls[rank]->before, calls[rank]->value));
    }
  });
  return mine;
}

/// Combines the values of the whole group with `destination`, a cuda::atomic, and returns its former value to all
/// threads.
template <typename Group, typename Atomic, typename Value, typename Operation>
inline Value update(const Group& group, Atomic& destination, const Value& inclusive, Operation& operation,
                    const SourceLine where) {
  Value old = Value();
  const unsigned last = static_cast<unsigned>(group.size()) - 1;
  if (group.thread_rank() == last) {
    old = destination.load();
    while (!destination.compare_exchange_weak(old, static_cast<Value>(operation(old, inclusive)))) {
    }
  }
  return group.shfl(old, static_cast<int>(last), where);
}

}  // namespace detail

/// Returns the combination of the values of all ranks up to and including the caller's.
template <typename Group, typename Value, typename Operation>
inline Value inclusive_scan(const Group& group, const Value value, Operation&& operation,
                            const SourceLine where = SourceLine::here()) {
  return detail::scan(group, value, operation, where).value;
}
template <typename Group, typename Value>
inline Value inclusive_scan(const Group& group, const Value value,
                            const SourceLine where = SourceLine::here()) {
  return inclusive_scan(group, value, plus<Value>(), where);
}

/// Returns the combination of the values of all ranks below the caller's; Value() for the first rank.
template <typename Group, typename Value, typename Operation>
inline Value exclusive_scan(const Group& group, const Value value, Operation&& operation,
                            const SourceLine where = SourceLine::here()) {
  return detail::scan(group, value, operation, where).before;
}
template <typename Group, typename Value>
inline Value exclusive_scan(const Group& group, const Value value,
                            const SourceLine where = SourceLine::here()) {
  return exclusive_scan(group, value, plus<Value>(), where);
}

/// Scans that start with the value of `destination`, a cuda::atomic, which is then combined with the values of the
/// whole group.
template <typename Group, typename Atomic, typename Value, typename Operation>
inline Value inclusive_scan_update(const Group& group, Atomic& destination, const Value value,
                                   Operation&& operation, const SourceLine where = SourceLine::here()) {
  const Value inclusive = inclusive_scan(group, value, operation, where);
  return operation(detail::update(group, destination, inclusive, operation, where), inclusive);
}
template <typename Group, typename Atomic, typename Value>
inline Value inclusive_scan_update(const Group& group, Atomic& destination, const Value value,
                                   const SourceLine where = SourceLine::here()) {
  return inclusive_scan_update(group, destination, value, plus<Value>(), where);
}
template <typename Group, typename Atomic, typename Value, typename Operation>
inline Value exclusive_scan_update(const Group& group, Atomic& destination, const Value value,
                                   Operation&& operation, const SourceLine where = SourceLine::here()) {
  const auto both = detail::scan(group, value, operation, where);
  const Value old = detail::update(group, destination, both.value, operation, where);
  return group.thread_rank() == 0 ? old : static_cast<Value>(operation(old, both.before));
}
template <typename Group, typename Atomic, typename Value>
inline Value exclusive_scan_update(const Group& group, Atomic& destination, const Value value,
                                   const SourceLine where = SourceLine::here()) {
  return exclusive_scan_update(group, destination, value, plus<Value>(), where);
}

}  // namespace cooperative_groups

#include "cuemu/pop_macros.hpp"
