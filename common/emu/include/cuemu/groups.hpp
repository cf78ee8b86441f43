// Cooperative groups: the base of all groups, the block and the grid.
#pragma once

#include "cuemu/cluster_intrinsics.hpp"
#include "cuemu/named_barrier.hpp"
#include "cuemu/warp.hpp"

namespace cooperative_groups {

using cuemu::SourceLine;

/// Any group whose kind is known only at run time. Groups are handles: a copy refers to the same group.
class thread_group {
 public:
  /// Waits until every thread of the group has arrived.
  void sync(const SourceLine where = SourceLine::here()) const {
    switch (kind_) {
      case Kind::grid:
        cuemu::grid_barrier(where);
        break;
      case Kind::cluster:
        cuemu::cluster_barrier(where);
        break;
      case Kind::block:
        cuemu::block_barrier(where);
        break;
      case Kind::lanes:
        __syncwarp(mask_, where);
        break;
      case Kind::warps:
        cuemu::named_barrier_sync(cuemu::tile_barrier(count_, cuemu::current_fiber->linear / count_), count_,
                                  where);
        break;
    }
  }
  /// Returns the number of threads of the group.
  unsigned long long size() const {
    switch (kind_) {
      case Kind::grid:
        return blocks_of_grid() * threads_of_block();
      case Kind::cluster:
        return __clusterSizeInBlocks() * threads_of_block();
      case Kind::block:
        return threads_of_block();
      default:
        return count_;
    }
  }
  unsigned long long num_threads() const { return size(); }
  /// Returns the caller's number within the group, [0, size).
  unsigned long long thread_rank() const {
    switch (kind_) {
      case Kind::grid:
        return rank_of_block() * threads_of_block() + cuemu::current_fiber->linear;
      case Kind::cluster:
        return __clusterRelativeBlockRank() * threads_of_block() + cuemu::current_fiber->linear;
      case Kind::block:
        return cuemu::current_fiber->linear;
      case Kind::warps:
        return cuemu::current_fiber->linear % count_;
      default:
        return rank_of_lane();
    }
  }
  bool is_valid() const { return true; }
  /// Returns the participating lanes of a group within a warp.
  unsigned lanes() const { return mask_; }

 protected:
  enum class Kind : unsigned char { grid, cluster, block, lanes, warps };

  explicit thread_group(const Kind kind) : mask_(0xffffffffu), kind_(kind), count_(0) {}
  thread_group(const unsigned mask, const unsigned count)
      : mask_(mask), kind_(Kind::lanes), count_(static_cast<unsigned short>(count)) {}

  /// Creates a tile of several warps, with `count` threads.
  explicit thread_group(const unsigned count)
      : mask_(0xffffffffu), kind_(Kind::warps), count_(static_cast<unsigned short>(count)) {}

  static unsigned threads_of_block() {
    const dim3& dim = cuemu::block_dim();
    return dim.x * dim.y * dim.z;
  }
  static unsigned long long blocks_of_grid() {
    const dim3& dim = cuemu::grid_dim();
    return static_cast<unsigned long long>(dim.x) * dim.y * dim.z;
  }
  static unsigned long long rank_of_block() {
    const uint3& index = cuemu::block_idx();
    const dim3& dim = cuemu::grid_dim();
    return (static_cast<unsigned long long>(index.z) * dim.y + index.y) * dim.x + index.x;
  }
  unsigned rank_of_lane() const {
    return static_cast<unsigned>(__builtin_popcount(mask_ & cuemu::lane_mask_lt()));
  }

  unsigned mask_;
  Kind kind_;
  unsigned short count_;

  friend thread_group tiled_partition(const thread_group& parent, unsigned size);
};

/// The threads of the block.
class thread_block : public thread_group {
 public:
  /// barrier_arrive passes this to barrier_wait.
  struct arrival_token {};

  static void sync(const SourceLine where = SourceLine::here()) { cuemu::block_barrier(where); }
  /// The two halves of sync. As in CUDA, only the second half waits.
  static arrival_token barrier_arrive() { return {}; }
  static void barrier_wait(arrival_token&&, const SourceLine where = SourceLine::here()) {
    cuemu::block_barrier(where);
  }
  static unsigned thread_rank() { return cuemu::current_fiber->linear; }
  static unsigned size() { return threads_of_block(); }
  static unsigned num_threads() { return threads_of_block(); }
  static dim3 group_index() { return cuemu::block_idx(); }
  static dim3 thread_index() { return cuemu::thread_idx(); }
  static dim3 group_dim() { return cuemu::block_dim(); }
  static dim3 dim_threads() { return cuemu::block_dim(); }

 private:
  thread_block() : thread_group(Kind::block) {}
  friend thread_block this_thread_block();
};
inline thread_block this_thread_block() {
  return thread_block();
}

/// The threads of the grid. sync() needs a cooperative launch.
class grid_group : public thread_group {
 public:
  using arrival_token = unsigned int;

  static void sync(const SourceLine where = SourceLine::here()) { cuemu::grid_barrier(where); }
  /// The two halves of sync. A block arrives when all of its threads have reached the first half.
  static arrival_token barrier_arrive(const SourceLine where = SourceLine::here()) {
    cuemu::grid_barrier_arrive(where);
    return 0;
  }
  static void barrier_wait(arrival_token&&, const SourceLine where = SourceLine::here()) {
    cuemu::grid_barrier_wait(where);
  }
  static unsigned long long thread_rank() {
    return rank_of_block() * threads_of_block() + cuemu::current_fiber->linear;
  }
  static unsigned long long size() { return blocks_of_grid() * threads_of_block(); }
  static unsigned long long num_threads() { return size(); }
  static unsigned long long block_rank() { return rank_of_block(); }
  static unsigned long long num_blocks() { return blocks_of_grid(); }
  /// Returns true. CUDA documents that the result is true if sync() may be called, but CUDA 13 returns true in ordinary
  /// launches, too, as seen on an H200.
  static bool is_valid() { return true; }
  static dim3 block_index() { return cuemu::block_idx(); }
  static dim3 dim_blocks() { return cuemu::grid_dim(); }
  static dim3 group_dim() { return cuemu::grid_dim(); }
  static dim3 dim_clusters() { return __clusterGridDimInClusters(); }
  static dim3 cluster_index() { return __clusterIdx(); }
  static unsigned long long cluster_rank() {
    const dim3 index = cluster_index(), dim = dim_clusters();
    return (static_cast<unsigned long long>(index.z) * dim.y + index.y) * dim.x + index.x;
  }
  static unsigned long long num_clusters() { return blocks_of_grid() / __clusterSizeInBlocks(); }
  static dim3 thread_index() { return cuemu::thread_idx(); }
  static dim3 dim_threads() { return cuemu::block_dim(); }

 private:
  grid_group() : thread_group(Kind::grid) {}
  friend grid_group this_grid();
};
inline grid_group this_grid() {
  return grid_group();
}

/// \name The members as functions
/// @{
template <typename Group>
inline void sync(const Group& group, const SourceLine where = SourceLine::here()) {
  group.sync(where);
}
template <typename Group>
inline void synchronize(const Group& group, const SourceLine where = SourceLine::here()) {
  group.sync(where);
}
template <typename Group>
inline auto thread_rank(const Group& group) {
  return group.thread_rank();
}
template <typename Group>
inline auto group_size(const Group& group) {
  return group.size();
}
inline dim3 group_index(const thread_block& block) {
  return block.group_index();
}
inline dim3 thread_index(const thread_block& block) {
  return block.thread_index();
}
/// @}

/// Runs `function(arguments…)` on one thread of the group.
template <typename Group, typename Function, typename... Arguments>
inline void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) function(static_cast<Arguments&&>(arguments)...);
}

}  // namespace cooperative_groups
