#include "clusters.hpp"

#include "cuda_runtime.h"
#include "device.hpp"
#include "errors.hpp"
#include "observer.hpp"
#include "worker.hpp"

namespace cuemu {

namespace {

constexpr unsigned portable_blocks = 8;  // supported by every device with clusters

std::uint64_t blocks_of(const dim3& cluster) {
  return std::uint64_t{cluster.x} * cluster.y * cluster.z;
}

unsigned most_blocks(Kernel& kernel) {
  return state_of(kernel).large_clusters.load() ? max_cluster_blocks : portable_blocks;
}

cudaError_t refuse(const char* why) {
  static std::atomic<bool> said{false};
  if (!said.exchange(true)) std::fprintf(stderr, "cuemu: %s; the launch fails\n", why);
  return cudaErrorNotSupported;
}

/// Finds the offset of an address in a block's shared memory. False if the address lies elsewhere.
bool offset_in(const Block& block, const void* address, std::size_t& offset) {
  const auto begin = reinterpret_cast<std::uintptr_t>(block.shared);
  offset = reinterpret_cast<std::uintptr_t>(address) - begin;
  return offset < arena_bytes();
}

}  // namespace

cudaError_t check_cluster(const KernelPlan& plan) {
  const std::uint64_t blocks = blocks_of(plan.cluster);
  if (blocks == 1) return cudaSuccess;
  if (blocks == 0 || blocks > most_blocks(*plan.kernel)) return cudaErrorInvalidClusterSize;
  if (plan.grid.x % plan.cluster.x != 0 || plan.grid.y % plan.cluster.y != 0 ||
      plan.grid.z % plan.cluster.z != 0)
    return cudaErrorInvalidClusterSize;
  const dim3& own = plan.kernel->info.cluster;
  if (blocks_of(own) > 1 && (own.x != plan.cluster.x || own.y != plan.cluster.y || own.z != plan.cluster.z))
    return cudaErrorInvalidClusterSize;
  if (device_profile().major < 9)
    return refuse("thread block clusters need compute capability 9.0: CUEMU_DEVICE=h100 has it");
  return cudaSuccess;
}

uint3 Launch::block_index(std::uint64_t number) const {
  const auto place = [](std::uint64_t n, unsigned x, unsigned y) {
    return uint3{static_cast<unsigned>(n % x), static_cast<unsigned>(n / x % y),
                 static_cast<unsigned>(n / (std::uint64_t{x} * y))};
  };
  if (!chosen.empty()) number = chosen[number];
  if (cluster_blocks == 1) return place(number, grid.x, grid.y);
  const uint3 outer = place(number / cluster_blocks, grid.x / cluster.x, grid.y / cluster.y);
  const uint3 inner = place(number % cluster_blocks, cluster.x, cluster.y);
  return {outer.x * cluster.x + inner.x, outer.y * cluster.y + inner.y, outer.z * cluster.z + inner.z};
}

void* map_shared_rank(const void* address, unsigned rank) {
  Fiber& me = *current_fiber;
  const Uninterrupted whole(me);
  const Block& block = *me.block;
  const Cluster* const cluster = block.cluster;
  if (cluster == nullptr && rank == 0) return const_cast<void*>(address);
  if (cluster == nullptr || rank >= blocks_of(cluster->dim))
    stop_kernel(cudaErrorLaunchFailure, "map_shared_rank was called for a block that is not in its cluster");
  std::size_t offset = 0;
  if (!offset_in(block, address, offset))
    stop_kernel(cudaErrorLaunchFailure,
                "map_shared_rank needs the address of a shared variable of the calling thread's own block");
  // If a tool checks accesses, it also gets accesses that happen before the block's end only by chance.
  if (cluster->blocks[rank] == nullptr && !largest(false, &Observer::judges_accesses))
    stop_kernel(cudaErrorLaunchFailure,
                "map_shared_rank was called for a block that has ended: cluster.sync() at the end of the "
                "kernel keeps it");
  return static_cast<const RunningCluster*>(cluster)->shared[rank] + offset;
}

unsigned query_shared_rank(const void* address) {
  Fiber& me = *current_fiber;
  const Uninterrupted whole(me);
  const Cluster* const cluster = me.block->cluster;
  if (cluster == nullptr) return 0;
  std::size_t offset = 0;
  for (unsigned rank = 0; rank < max_cluster_blocks; ++rank)
    if (cluster->blocks[rank] != nullptr && offset_in(*cluster->blocks[rank], address, offset)) return rank;
  stop_kernel(cudaErrorLaunchFailure,
              "query_shared_rank needs an address in the shared memory of one of the cluster's blocks");
}

namespace detail {

cudaError_t largest_cluster(int* blocks, Kernel* kernel) {
  if (blocks == nullptr) return remember(cudaErrorInvalidValue);
  if (kernel == nullptr) return remember(no_such_kernel);
  *blocks = device_profile().major < 9 ? 0 : static_cast<int>(most_blocks(*kernel));
  return device_profile().major < 9 ? remember(cudaErrorNotSupported) : cudaSuccess;
}

cudaError_t max_active_clusters(int* clusters, Kernel* kernel, const cudaLaunchConfig_t* config) {
  if (clusters == nullptr || config == nullptr) return remember(cudaErrorInvalidValue);
  if (kernel == nullptr) return remember(no_such_kernel);
  if (device_profile().major < 9) return remember(cudaErrorNotSupported);
  dim3 cluster = kernel->info.cluster;
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config->attrs[i];
    if (attribute.id == cudaLaunchAttributeClusterDimension)
      cluster = dim3(attribute.val.clusterDim.x, attribute.val.clusterDim.y, attribute.val.clusterDim.z);
  }
  const dim3& block = config->blockDim;
  int blocks = 0;
  if (const cudaError_t error = max_active_blocks(
          &blocks, kernel, static_cast<int>(block.x * block.y * block.z), config->dynamicSmemBytes);
      error != cudaSuccess)
    return error;
  const auto size = static_cast<unsigned>(blocks_of(cluster));
  if (size == 0 || size > most_blocks(*kernel)) return remember(cudaErrorInvalidClusterSize);
  *clusters = static_cast<int>(static_cast<unsigned>(blocks * device_profile().multiprocessors) / size);
  return cudaSuccess;
}

}  // namespace detail
}  // namespace cuemu
