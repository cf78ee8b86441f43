// Blocks of a cluster use each other's shared memory. The cluster's barrier orders all of their threads.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <utility>

#include "../pair.cuh"

namespace cg = cooperative_groups;

// The block's barrier instead of the cluster's: the neighbour may still fill the memory that the block reads.
// pair: block_in_place_of_cluster
// exact: race @fill,@read part
// contains: two blocks of a cluster touch part[0] (shared int[32]) of block (
// contains: write by thread (0,0,0) of block (0,0,0)
// contains: read by thread (0,0,0) of block (1,0,0)
// hint: part is read while other blocks may still be filling it: a cluster.sync() belongs between lines
// missing: cluster-barrier
__global__ void __cluster_dims__(2, 1, 1) read_neighbour(int* out, bool wrong) {
  __shared__ int part[32];
  const cg::cluster_group cluster = cg::this_cluster();
  part[threadIdx.x] = blockIdx.x;  // @fill
  if (wrong)
    __syncthreads();
  else
    cluster.sync();
  const int* const other = cluster.map_shared_rank(part, cluster.block_rank() ^ 1);
  out[blockIdx.x * 32 + threadIdx.x] = other[threadIdx.x];  // @read
  cluster.sync();
}
PAIR(block_in_place_of_cluster) {
  const Zeros<int> out(128);
  read_neighbour<<<4, 32>>>(out, wrong);
}

// The next iteration overwrites the elements that the neighbour reads.
// pair: next_turn
// exact: race @write,@read value
// hint: value is overwritten while other blocks may still read it: a cluster.sync() belongs after line
__global__ void __cluster_dims__(4, 1, 1) around(int* out, bool wrong) {
  __shared__ int value;
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
  int sum = 0;
  for (int turn = 0; turn < 3; ++turn) {
    if (threadIdx.x == 0) value = turn;  // @write
    cluster.sync();
    sum += *cluster.map_shared_rank(&value, next);  // @read
    if (!wrong) cluster.sync();
  }
  out[blockIdx.x * 32 + threadIdx.x] = sum;
  cluster.sync();
}
PAIR(next_turn) {
  const Zeros<int> out(128);
  around<<<4, 32>>>(out, wrong);
}

// Bins are distributed over a cluster, and all blocks count in them before the bins' owner has cleared them.
// pair: cleared_too_late
// exact: race @clear,@count bins
// contains: atomic update by thread
__global__ void count(int* out, bool wrong) {
  extern __shared__ int bins[];
  const cg::cluster_group cluster = cg::this_cluster();
  bins[threadIdx.x] = 0;  // @clear
  if (!wrong) cluster.sync();
  const unsigned bin = (threadIdx.x * 7 + blockIdx.x) % 64;
  atomicAdd(cluster.map_shared_rank(bins, bin / 32) + bin % 32, 1);  // @count
  cluster.sync();
  atomicAdd(&out[cluster.block_rank() * 32 + threadIdx.x], bins[threadIdx.x]);
}
PAIR(cleared_too_late) {
  const Zeros<int> out(64);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 2;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(4);
  config.blockDim = dim3(32);
  config.dynamicSmemBytes = 32 * sizeof(int);
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, count, out.data, wrong);
}

// A plain sum in the shared memory of the first block, which needs an atomic function.
// pair: plain_sum
// exact: race @add,@add total
// hint: use atomicAdd or its like
__global__ void __cluster_dims__(4, 1, 1) sum_up(int* out, bool wrong) {
  __shared__ int total;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) total = 0;
  cluster.sync();
  int* const first = cluster.map_shared_rank(&total, 0);
  if (threadIdx.x == 0) {
    if (wrong)
      *first += blockIdx.x;  // @add
    else
      atomicAdd(first, blockIdx.x);
  }
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) *out = total;
}
PAIR(plain_sum) {
  const Zeros<int> out(1);
  sum_up<<<4, 32>>>(out, wrong);
}

// The same mistake in a function that kernels call.
// pair: function_without_barrier
// exact: race @put,@take value
// hint: , where all threads of the cluster reach it
__device__ int from_first(int own, bool wrong) {
  __shared__ int value;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) value = own;  // @put
  if (!wrong) cluster.sync();
  const int got = *cluster.map_shared_rank(&value, 0);  // @take
  cluster.sync();
  return got;
}
__global__ void __cluster_dims__(2, 1, 1) tell(int* out, bool wrong) {
  out[blockIdx.x * 32 + threadIdx.x] = from_first(blockIdx.x, wrong);
}
PAIR(function_without_barrier) {
  const Zeros<int> out(64);
  tell<<<2, 32>>>(out, wrong);
}

// A barrier in two halves orders accesses before the first half and after the second.
// pair: between_cluster_halves
// exact: race @write,@read values
__global__ void __cluster_dims__(2, 1, 1) halves(int* out, bool wrong) {
  __shared__ int values[64];
  const cg::cluster_group cluster = cg::this_cluster();
  const int* const other = cluster.map_shared_rank(values, cluster.block_rank() ^ 1);
  values[threadIdx.x] = threadIdx.x;  // @write
  auto token = cluster.barrier_arrive();
  const int own = threadIdx.x * blockIdx.x;
  if (!wrong) cluster.barrier_wait(std::move(token));
  const int seen = other[63 - threadIdx.x];  // @read
  if (wrong) cluster.barrier_wait(std::move(token));
  out[blockIdx.x * 64 + threadIdx.x] = seen + own;
  cluster.sync();
}
PAIR(between_cluster_halves) {
  const Zeros<int> out(256);
  halves<<<4, 64>>>(out, wrong);
}

// The cluster's barrier orders its own blocks, not blocks of other clusters.
// pair: cluster_in_place_of_grid
// exact: race @part,@sum part
__global__ void __cluster_dims__(2, 1, 1) grid_sum(int* part, int* out, bool wrong) {
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) part[blockIdx.x] = blockIdx.x;  // @part
  cluster.sync();
  const unsigned begin = wrong ? 0 : blockIdx.x / 2 * 2, end = wrong ? gridDim.x : begin + 2;
  int sum = 0;
  for (unsigned b = begin; b < end; ++b) sum += part[b];  // @sum
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
PAIR(cluster_in_place_of_grid) {
  const Zeros<int> part(4), out(4);
  grid_sum<<<4, 32>>>(part, out, wrong);
}

// Readers of two blocks arrive at the owner's mbarrier after their reads, so that the owner may write again.
// pair: arrived_at_other_block
// exact: race @fill,@use buffer
__global__ void __cluster_dims__(2, 1, 1) hand_over(int* out, bool wrong) {
  __shared__ int buffer;
  __shared__ cuda::barrier<cuda::thread_scope_block> read;
  const cg::cluster_group cluster = cg::this_cluster();
  const bool owner = cluster.block_rank() == 0;
  if (owner && threadIdx.x == 0) {
    init(&read, 64);
    buffer = 1;
  }
  cluster.sync();
  auto* const at_owner = cluster.map_shared_rank(&read, 0);
  const int* const there = cluster.map_shared_rank(&buffer, 0);
  if (wrong) static_cast<void>(at_owner->arrive());
  int sum = *there;  // @use
  if (!wrong) static_cast<void>(at_owner->arrive());
  if (owner) {
    read.wait_parity(false);
    if (threadIdx.x == 0) buffer = 2;  // @fill
  }
  cluster.sync();
  sum += *there;
  out[blockIdx.x * 32 + threadIdx.x] = sum;
  cluster.sync();
}
PAIR(arrived_at_other_block) {
  const Zeros<int> out(64);
  hand_over<<<2, 32>>>(out, wrong);
}
