// What is known of a race within one launch when it is seen: all that is said of it follows from this and its lines.
#pragma once

#include <optional>
#include <string>

#include "loops.hpp"
#include "shadow.hpp"

namespace cuemu::check {

/// An mbarrier at which the two threads meet: a __syncthreads() is not for both of them.
struct MeetingPlace {
  std::string name;      ///< of the variable, empty where it is not known
  bool of_pipeline;      ///< it belongs to a cuda::pipeline
  bool wait_is_missing;  ///< and nothing else: who is to be first arrives there
};

struct RaceFacts {
  Spread spread;         ///< how far the two are apart
  bool block_is_a_warp;  ///< or less
  bool before_writes, now_writes;
  bool before_atomic, now_atomic;
  bool in_shared;    ///< two blocks are of one cluster then
  bool cooperative;  ///< blocks have the grid's barrier
  bool of_nothing;  ///< the first is a read of what the block had not written: meant to come behind the write
  bool
      others_read;  ///< the first are reads by several threads, and the one that is known is by who writes now
  std::optional<MeetingPlace> meeting;
  const BarrierCounts& barriers;  ///< those that are for both
  char axis;                      ///< x, y or z: of two blocks, a dimension in which they differ

  /// Two blocks of a cluster, in the shared memory of one of its blocks.
  bool in_cluster() const { return spread == Spread::grid && in_shared; }
  /// Two blocks of a cooperative launch, in memory that all share.
  bool in_cooperative() const { return spread == Spread::grid && !in_shared && cooperative; }
  /// Is there a barrier for both?
  bool may_meet() const { return spread != Spread::grid || in_cluster() || in_cooperative(); }
};

}  // namespace cuemu::check
