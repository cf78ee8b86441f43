// Thread block clusters. The emulation runs each block as a cluster of its own, which is what a launch
// without a cluster's size is on a GPU too.
#pragma once

#include "cuemu/groups.hpp"

/// \name Cluster intrinsics, for clusters of one block
/// @{
inline dim3 __clusterDim() {
  return dim3(1, 1, 1);
}
inline dim3 __clusterRelativeBlockIdx() {
  return dim3(0, 0, 0);
}
inline dim3 __clusterGridDimInClusters() {
  return cuemu::grid_dim();
}
inline dim3 __clusterIdx() {
  return cuemu::block_idx();
}
inline unsigned __clusterRelativeBlockRank() {
  return 0;
}
inline unsigned __clusterSizeInBlocks() {
  return 1;
}
inline bool __clusterDimIsSpecified() {
  return false;
}
inline void __cluster_barrier_arrive() {}
inline void __cluster_barrier_arrive_relaxed() {}
inline void __cluster_barrier_wait(const cuemu::SourceLine where = cuemu::SourceLine::here()) {
  cuemu::block_barrier(where);
}
inline void* __cluster_map_shared_rank(const void* const address, unsigned) {
  return const_cast<void*>(address);
}
inline unsigned __cluster_query_shared_rank(const void*) {
  return 0;
}
/// @}

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
