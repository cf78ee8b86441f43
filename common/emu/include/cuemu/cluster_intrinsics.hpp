// The intrinsics of thread block clusters. In a launch without clusters each block is a separate cluster.
#pragma once

#include "cuemu/thread.hpp"

/// \name Cluster intrinsics
/// @{
inline bool __clusterDimIsSpecified() {
  return cuemu::current_fiber->block->cluster != nullptr;
}
inline dim3 __clusterDim() {
  const cuemu::Cluster* const cluster = cuemu::current_fiber->block->cluster;
  return cluster != nullptr ? cluster->dim : dim3(1, 1, 1);
}
inline unsigned __clusterSizeInBlocks() {
  const dim3 dim = __clusterDim();
  return dim.x * dim.y * dim.z;
}
inline dim3 __clusterRelativeBlockIdx() {
  const dim3 dim = __clusterDim();
  const uint3& block = cuemu::block_idx();
  return dim3(block.x % dim.x, block.y % dim.y, block.z % dim.z);
}
inline unsigned __clusterRelativeBlockRank() {
  return cuemu::current_fiber->block->cluster_rank;
}
inline dim3 __clusterGridDimInClusters() {
  const dim3 dim = __clusterDim();
  const dim3& grid = cuemu::grid_dim();
  return dim3(grid.x / dim.x, grid.y / dim.y, grid.z / dim.z);
}
inline dim3 __clusterIdx() {
  const dim3 dim = __clusterDim();
  const uint3& block = cuemu::block_idx();
  return dim3(block.x / dim.x, block.y / dim.y, block.z / dim.z);
}
/// The two halves of a barrier.
inline void __cluster_barrier_arrive() {
  cuemu::cluster_barrier_arrive();
}
inline void __cluster_barrier_arrive_relaxed() {
  cuemu::cluster_barrier_arrive();
}
inline void __cluster_barrier_wait(const cuemu::SourceLine where = cuemu::SourceLine::here()) {
  cuemu::cluster_barrier_wait(where);
}
inline void* __cluster_map_shared_rank(const void* const address, const unsigned rank) {
  return cuemu::map_shared_rank(address, rank);
}
inline unsigned __cluster_query_shared_rank(const void* const address) {
  return cuemu::query_shared_rank(address);
}
/// @}
