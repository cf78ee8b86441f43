// Prefix sums over the threads of a group: inclusive_scan and exclusive_scan, with any associative operation.
#pragma once

#include "cooperative_groups.h"
#include "cuemu/group_operators.hpp"

namespace cooperative_groups {

namespace detail {

template <typename Value>
struct ScanCall : cuemu::Call {
  Value value;
  Value before;  ///< combination of all lower ranks; the first thread's is Value()
};

/// `inclusive` leaves in each call's value the combination up to it.
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

}  // namespace detail

/// Combination of the values of the ranks up to and including the caller's.
template <typename Value, typename Operation>
inline Value inclusive_scan(const lane_group& group, const Value value, Operation&& operation,
                            const SourceLine where = SourceLine::here()) {
  return detail::scan(group, value, operation, where).value;
}
template <typename Value>
inline Value inclusive_scan(const lane_group& group, const Value value,
                            const SourceLine where = SourceLine::here()) {
  return inclusive_scan(group, value, plus<Value>(), where);
}

/// Combination of the values of the ranks below the caller's; Value() for the first.
template <typename Value, typename Operation>
inline Value exclusive_scan(const lane_group& group, const Value value, Operation&& operation,
                            const SourceLine where = SourceLine::here()) {
  return detail::scan(group, value, operation, where).before;
}
template <typename Value>
inline Value exclusive_scan(const lane_group& group, const Value value,
                            const SourceLine where = SourceLine::here()) {
  return exclusive_scan(group, value, plus<Value>(), where);
}

}  // namespace cooperative_groups
