// Cooperative groups: thread block clusters.
#pragma once

#include "cuemu/cluster_intrinsics.hpp"
#include "cuemu/groups.hpp"

namespace cooperative_groups {

/// The threads of a cluster: blocks that run concurrently and see each other's shared memory.
class cluster_group : public thread_group {
 public:
  /// The value that barrier_arrive passes to barrier_wait. It is empty, because the thread itself stores the phase in
  /// which it has arrived.
  struct arrival_token {};

  static void sync(const SourceLine where = SourceLine::here()) { cuemu::cluster_barrier(where); }
  static arrival_token barrier_arrive() {
    cuemu::cluster_barrier_arrive();
    return {};
  }
  static void barrier_wait(arrival_token&&, const SourceLine where = SourceLine::here()) {
    cuemu::cluster_barrier_wait(where);
  }
  static void barrier_wait(const SourceLine where = SourceLine::here()) {
    cuemu::cluster_barrier_wait(where);
  }
  /// Returns the rank of the block whose shared memory contains the address.
  static unsigned query_shared_rank(const void* const address) { return cuemu::query_shared_rank(address); }
  /// Returns the address of the same shared variable in the block `rank` of the cluster.
  template <typename Value>
  static Value* map_shared_rank(Value* const address, const int rank) {
    return static_cast<Value*>(cuemu::map_shared_rank(
        const_cast<const void*>(static_cast<const volatile void*>(address)), static_cast<unsigned>(rank)));
  }
  static dim3 block_index() { return __clusterRelativeBlockIdx(); }
  static unsigned block_rank() { return __clusterRelativeBlockRank(); }
  static dim3 thread_index() {
    const dim3 block = block_index();
    const dim3& dim = cuemu::block_dim();
    const uint3& thread = cuemu::thread_idx();
    return dim3(block.x * dim.x + thread.x, block.y * dim.y + thread.y, block.z * dim.z + thread.z);
  }
  static unsigned thread_rank() { return block_rank() * threads_of_block() + cuemu::current_fiber->linear; }
  static dim3 dim_blocks() { return __clusterDim(); }
  static unsigned num_blocks() { return __clusterSizeInBlocks(); }
  static dim3 dim_threads() {
    const dim3 blocks = dim_blocks();
    const dim3& dim = cuemu::block_dim();
    return dim3(blocks.x * dim.x, blocks.y * dim.y, blocks.z * dim.z);
  }
  static unsigned num_threads() { return num_blocks() * threads_of_block(); }
  static unsigned size() { return num_threads(); }

 private:
  cluster_group() : thread_group(Kind::cluster) {}
  friend cluster_group this_cluster();
};
inline cluster_group this_cluster() {
  return cluster_group();
}

}  // namespace cooperative_groups
