// The intrinsics of thread block clusters. Each block is a cluster of its own.
#pragma once

#include "cuemu/thread.hpp"

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
