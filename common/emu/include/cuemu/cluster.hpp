// Thread block clusters. The emulation runs each block as a cluster of its own, which is what a launch
// without a cluster's size is on a GPU too.
#pragma once

#include "cuemu/cluster_intrinsics.hpp"
#include "cuemu/groups.hpp"

namespace cooperative_groups {

/// The blocks of a cluster: here one.
class cluster_group : public thread_group {
 public:
  struct arrival_token {};

  static void sync(const SourceLine where = SourceLine::here()) { cuemu::block_barrier(where); }
  static arrival_token barrier_arrive() { return {}; }
  static void barrier_wait(arrival_token, const SourceLine where = SourceLine::here()) {
    cuemu::block_barrier(where);
  }
  static void barrier_wait(const SourceLine where = SourceLine::here()) { cuemu::block_barrier(where); }
  static unsigned query_shared_rank(const void*) { return 0; }
  /// The address of the same shared variable in the block `rank` of the cluster.
  template <typename Value>
  static Value* map_shared_rank(Value* const address, const int rank) {
    if (rank != 0) cuemu::stop_kernel(cuemu::detail::kLaunchFailure, "the cluster has one block: rank 0");
    return address;
  }
  static dim3 block_index() { return dim3(0, 0, 0); }
  static unsigned block_rank() { return 0; }
  static dim3 thread_index() { return cuemu::thread_idx(); }
  static unsigned thread_rank() { return cuemu::current_fiber->linear; }
  static dim3 dim_blocks() { return dim3(1, 1, 1); }
  static unsigned num_blocks() { return 1; }
  static dim3 dim_threads() { return cuemu::block_dim(); }
  static unsigned num_threads() { return threads_of_block(); }
  static unsigned size() { return threads_of_block(); }

 private:
  cluster_group() : thread_group(Kind::block) {}
  friend cluster_group this_cluster();
};
inline cluster_group this_cluster() {
  return cluster_group();
}

}  // namespace cooperative_groups
