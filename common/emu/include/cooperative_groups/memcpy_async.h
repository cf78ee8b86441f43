// cooperative_groups::memcpy_async: a copy that the threads of a group make together.
//
// On a GPU the copy runs in the background until wait(). Here each thread copies its part before the call returns, so
// wait() only needs to be the group's barrier.
#pragma once
#define _COOPERATIVE_GROUPS_MEMCPY_ASYNC

#include "cuemu/push_macros.hpp"

#include <stddef.h>

#include "cooperative_groups.h"
#include "cuemu/async_copy.hpp"

namespace cooperative_groups {

/// Copies `bytes` from `source` to `destination`, which must not overlap. All threads of the group call it.
template <typename Group>
inline void memcpy_async(const Group& group, void* const destination, const void* const source,
                         const size_t bytes) {
  using cuemu::detail::Awaited;
  cuemu::detail::copy_share<Awaited::in_batches>(destination, source, bytes, group.size(),
                                                 group.thread_rank());
  cuemu::detail::commit_batch();
}
/// Copies as many bytes as the smaller of the two counts specifies. Each count is in elements of its pointer's type.
template <typename Group, typename To, typename From>
inline void memcpy_async(const Group& group, To* const destination, const size_t destination_count,
                         const From* const source, const size_t source_count) {
  const size_t to = destination_count * sizeof(To), from = source_count * sizeof(From);
  memcpy_async(group, static_cast<void*>(destination), static_cast<const void*>(source),
               to < from ? to : from);
}

/// Waits until all copies of the group, or all but the latest Pending ones, are complete.
template <typename Group>
inline void wait(const Group& group, const SourceLine where = SourceLine::here()) {
  cuemu::detail::wait_for_batches(0);
  group.sync(where);
}
template <unsigned Pending, typename Group>
inline void wait_prior(const Group& group, const SourceLine where = SourceLine::here()) {
  cuemu::detail::wait_for_batches(Pending);
  group.sync(where);
}

}  // namespace cooperative_groups

#include "cuemu/pop_macros.hpp"
