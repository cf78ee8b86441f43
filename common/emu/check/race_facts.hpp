// The facts about a race within one launch, at the time when it is found. Its text follows from these facts
// and from the lines of the race.
#pragma once

#include <optional>
#include <string>

#include "loops.hpp"
#include "shadow.hpp"

namespace cuemu::check {

/// An mbarrier where the two threads meet. A __syncthreads() in its place would not suit both of them.
struct MeetingPlace {
  std::string name;      ///< the name of the variable; empty if unknown
  bool of_pipeline;      ///< it belongs to a cuda::pipeline
  bool wait_is_missing;  ///< only the wait is missing: the first thread arrives there
};

struct RaceFacts {
  Spread spread;         ///< distance between the two threads
  bool block_is_a_warp;  ///< the block has at most one warp
  bool before_writes, now_writes;
  bool before_atomic, now_atomic;
  bool in_shared;    ///< true: if the race is between blocks, they are of one cluster
  bool cooperative;  ///< blocks have the grid's barrier
  bool of_nothing;   ///< the first reads memory that the block had not written: it should follow the write
  /// Whether several threads made the first reads, and one of them is the thread that now writes. The
  /// recorded read is then its own.
  bool others_read;
  std::optional<MeetingPlace> meeting;
  const BarrierCounts& barriers;  ///< The barriers that both racing threads have passed.
  char axis;                      ///< x, y or z: a dimension in which two blocks differ

  /// Whether two blocks of a cluster race in the shared memory of one of them.
  bool in_cluster() const { return spread == Spread::grid && in_shared; }
  /// Whether two blocks of a cooperative launch race in memory that all blocks share.
  bool in_cooperative() const { return spread == Spread::grid && !in_shared && cooperative; }
  /// Whether a barrier exists at which both threads can meet.
  bool may_meet() const { return spread != Spread::grid || in_cluster() || in_cooperative(); }
};

}  // namespace cuemu::check
