// The barrier of a cluster, with threads and blocks that never reach it.
#include <cooperative_groups.h>

#include <utility>

#include "../pair.cuh"

namespace cg = cooperative_groups;

// The barrier is in an if that a part of each block takes.
// pair: part_of_each_cluster
// exact: barrier @part -
// contains: 32 of 64 threads of block (0,0,0) go past the cluster's barrier to the
// hint: end the if before it, and begin another one after it
__global__ void __cluster_dims__(2, 1, 1) half_of_a_block(int* a, int count) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  if (threadIdx.x < count) {
    cg::this_cluster().sync();  // @part
  }
}
PAIR(part_of_each_cluster) {
  const Zeros<int> a(128);
  half_of_a_block<<<2, 64>>>(a, wrong ? 32 : 64);
}

// A block without work returns before the barrier.
// pair: a_block_of_a_cluster_returns
// exact: barrier-exited @sync -
// contains: 1 of 2 blocks of a cluster never reach the cluster's barrier: they have returned
// hint: let all blocks of the cluster reach each cluster.sync(), also one without work
__global__ void __cluster_dims__(2, 1, 1) some_blocks(int* a, bool wrong) {
  if (wrong && blockIdx.x == 0) return;
  cg::this_cluster().sync();  // @sync
  a[blockIdx.x] = 1;
}
PAIR(a_block_of_a_cluster_returns) {
  const Zeros<int> a(2);
  some_blocks<<<2, 32>>>(a, wrong);
}

// The barrier is in an if that only one block takes.
// pair: one_block_goes_in
// exact: barrier @one -
// contains: 1 of 2 blocks of a cluster go past the cluster's barrier to the kernel's end
__global__ void __cluster_dims__(2, 1, 1) one_block(int* a, bool wrong) {
  a[blockIdx.x] = 1;
  if (!wrong || cg::this_cluster().block_rank() == 1) {
    cg::this_cluster().sync();  // @one
  }
}
PAIR(one_block_goes_in) {
  const Zeros<int> a(2);
  one_block<<<2, 32>>>(a, wrong);
}

// One block waits for the cluster, while a part of the other block waits for its own threads.
// pair: at_two_barriers
// exact: barrier @cluster,@cluster,@block -
// contains: threads of a cluster wait for others that never come
__global__ void __cluster_dims__(2, 1, 1) two_barriers(int* a, bool wrong) {
  if (blockIdx.x == 0 || threadIdx.x < 16 || !wrong)
    cg::this_cluster().sync();  // @cluster
  else
    __syncthreads();  // @block
  a[blockIdx.x] = 1;
}
PAIR(at_two_barriers) {
  const Zeros<int> a(2);
  two_barriers<<<2, 32>>>(a, wrong);
}
