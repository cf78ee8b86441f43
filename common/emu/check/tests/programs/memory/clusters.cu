// The shared memory of other blocks of a cluster: its bounds, its content, and its lifetime.
#include <cooperative_groups.h>

#include "../pair.cuh"

namespace cg = cooperative_groups;

// A block may end while its neighbour still reads the block's memory.
// pair: ended_too_early
// exact: use-after-free @read mine
// contains: mine[0] (shared int[32]) of block (1,0,0), which may have ended by then
// contains: read by thread (0,0,0) of block (0,0,0)
// hint: a cluster.sync() after the last access to the shared memory of other blocks
__global__ void __cluster_dims__(2, 1, 1) leave(int* out, bool wrong) {
  __shared__ int mine[32];
  const cg::cluster_group cluster = cg::this_cluster();
  mine[threadIdx.x] = threadIdx.x;
  cluster.sync();
  out[blockIdx.x * 32 + threadIdx.x] =
      cluster.map_shared_rank(mine, cluster.block_rank() ^ 1)[threadIdx.x];  // @read
  if (!wrong) cluster.sync();
}
PAIR(ended_too_early) {
  const Zeros<int> out(64);
  leave<<<2, 32>>>(out, wrong);
}

// A block writes to the memory of another block, which may not have begun.
// pair: not_begun
// exact: use-after-free @put inbox
// contains: a thread writes inbox[0] (shared int[32]) of block (1,0,0), which may not have begun by then
// hint: a cluster.sync() before the first access to the shared memory of other blocks waits until
__global__ void __cluster_dims__(2, 1, 1) post(int* out, bool wrong) {
  __shared__ int inbox[32];
  const cg::cluster_group cluster = cg::this_cluster();
  if (!wrong) cluster.sync();
  cluster.map_shared_rank(inbox, cluster.block_rank() ^ 1)[threadIdx.x] = blockIdx.x;  // @put
  cluster.sync();
  out[blockIdx.x * 32 + threadIdx.x] = inbox[threadIdx.x];
}
PAIR(not_begun) {
  const Zeros<int> out(64);
  post<<<2, 32>>>(out, wrong);
}

// The block whose memory another block reads ends before the read.
// pair: owner_does_not_wait
// exact: use-after-free @late value
__global__ void __cluster_dims__(2, 1, 1) only_one_reads(int* out, bool wrong) {
  __shared__ int value;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) value = blockIdx.x;
  cluster.sync();
  if (cluster.block_rank() == 1)
    out[threadIdx.x] = *cluster.map_shared_rank(&value, wrong ? 0 : 1);  // @late
}
PAIR(owner_does_not_wait) {
  const Zeros<int> out(32);
  only_one_reads<<<2, 32>>>(out, wrong);
}

// An access past the end of the neighbour's array, with an index that would fit the block's own array.
// pair: past_the_neighbours_end
// exact: out-of-bounds @write tile
// contains: a thread writes tile[32], outside tile (shared int[32]) of block (1,0,0)
__global__ void __cluster_dims__(2, 1, 1) shift(int* out, bool wrong) {
  __shared__ int tile[32];
  const cg::cluster_group cluster = cg::this_cluster();
  tile[threadIdx.x] = 0;
  cluster.sync();
  int* const next = cluster.map_shared_rank(tile, 1);
  const unsigned to = threadIdx.x + 1;
  if (cluster.block_rank() == 0 && (wrong || to < 32)) next[to] = 1;  // @write
  cluster.sync();
  out[blockIdx.x * 32 + threadIdx.x] = tile[threadIdx.x];
}
PAIR(past_the_neighbours_end) {
  const Zeros<int> out(64);
  shift<<<2, 32>>>(out, wrong);
}

// The access needs more dynamic shared memory than the neighbour has.
// pair: past_the_dynamic_end
// exact: out-of-bounds @read bins
// contains: bins[32] of block (0,0,0), outside the dynamic shared memory: the launch gives the block 128 bytes
__global__ void __cluster_dims__(2, 1, 1) look(int* out, bool wrong) {
  extern __shared__ int bins[];
  const cg::cluster_group cluster = cg::this_cluster();
  bins[threadIdx.x] = threadIdx.x;
  cluster.sync();
  const int* const first = cluster.map_shared_rank(bins, 0);
  if (cluster.block_rank() == 1) out[threadIdx.x] = first[threadIdx.x + (wrong ? 1 : 0)];  // @read
  cluster.sync();
}
PAIR(past_the_dynamic_end) {
  const Zeros<int> out(32);
  look<<<2, 32, 32 * sizeof(int)>>>(out, wrong);
}

// An access to four numbers at once, at an address that is not a multiple of 16.
// pair: misaligned_at_the_neighbour
// exact: misaligned @four row
// contains: byte 4 of the shared memory of block (1,0,0), in row
// g++ only
__global__ void __cluster_dims__(2, 1, 1) four_at_once(float* out, bool wrong) {
  __shared__ alignas(16) float row[64];
  const cg::cluster_group cluster = cg::this_cluster();
  row[threadIdx.x] = threadIdx.x;
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) {
    const float* const there = cluster.map_shared_rank(row, 1) + (wrong ? 1 : 0);
    const float4 four = *reinterpret_cast<const float4*>(there);  // @four
    *out = four.x + four.y + four.z + four.w;
  }
  cluster.sync();
}
PAIR(misaligned_at_the_neighbour) {
  const Zeros<float> out(1);
  four_at_once<<<2, 64>>>(out, wrong);
}

// Only the first block fills its array.
// pair: neighbour_has_filled_nothing
// exact: uninitialised @read mine
// contains: mine[0] (shared int[32]) of block (1,0,0) is read, but nothing has written to it
// hint: let the threads of each block fill it, then cluster.sync()
__global__ void __cluster_dims__(2, 1, 1) fill_first(int* out, bool wrong) {
  __shared__ int mine[32];
  const cg::cluster_group cluster = cg::this_cluster();
  if (!wrong || cluster.block_rank() == 0) mine[threadIdx.x] = threadIdx.x;
  cluster.sync();
  if (cluster.block_rank() == 0) out[threadIdx.x] = cluster.map_shared_rank(mine, 1)[threadIdx.x];  // @read
  cluster.sync();
}
PAIR(neighbour_has_filled_nothing) {
  const Zeros<int> out(32);
  fill_first<<<2, 32>>>(out, wrong);
}
