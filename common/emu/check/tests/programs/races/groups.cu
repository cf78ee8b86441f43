// Cooperative groups: each group orders its own threads, and no others.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <utility>

#include "../pair.cuh"

namespace cg = cooperative_groups;

// A tile's sync() orders 16 lanes, but 32 lanes exchange values.
// pair: tile_too_small
// hint: values is read while other threads may still be filling it:
// exact: race @write,@read values
__global__ void exchange(int* out, bool wrong) {
  __shared__ int values[32];
  const cg::thread_block block = cg::this_thread_block();
  values[threadIdx.x] = threadIdx.x;  // @write
  if (wrong)
    cg::tiled_partition<16>(block).sync();
  else
    cg::tiled_partition<32>(block).sync();
  out[threadIdx.x] = values[31 - threadIdx.x];  // @read
}
PAIR(tile_too_small) {
  const Zeros<int> out(32);
  exchange<<<1, 32>>>(out, wrong);
}

// A tile's sync() waits for the tile's readers, not for those of the other tile.
// pair: read_by_other_tile
// exact: race @set,@look turns
__global__ void take_turns(int* out, bool wrong) {
  __shared__ int turns[2];
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int own = threadIdx.x / 16;
  if (tile.thread_rank() == 0) turns[own] = own;
  __syncthreads();
  int seen = 0;
  for (int turn = 0; turn < 2; ++turn) {
    seen += turns[wrong ? 0 : own];  // @look
    tile.sync();
    if (tile.thread_rank() == 0) turns[own] = seen + 1;  // @set
    tile.sync();
  }
  out[threadIdx.x] = seen;
}
PAIR(read_by_other_tile) {
  const Zeros<int> out(32);
  take_turns<<<1, 32>>>(out, wrong);
}

// A thread that fills a buffer again waits for all readers of two warps, which arrive after their reads.
// pair: arrived_before_reading
// exact: race @fill,@use buffer
// hint: arrive at the barrier empty after line
// lacks: __syncthreads
__global__ void hand_over(int* out, bool wrong) {
  __shared__ int buffer;
  __shared__ cuda::barrier<cuda::thread_scope_block> full, empty;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&empty, 64);
  }
  __syncthreads();
  for (int turn = 0; turn < 3; ++turn)
    if (threadIdx.x == 64) {
      if (turn > 0) empty.wait_parity((turn - 1) % 2);
      buffer = turn;  // @fill
      static_cast<void>(full.arrive());
    } else {
      full.wait_parity(turn % 2);
      if (wrong) static_cast<void>(empty.arrive());
      out[threadIdx.x] += buffer;  // @use
      if (!wrong) static_cast<void>(empty.arrive());
    }
}
PAIR(arrived_before_reading) {
  const Zeros<int> out(64);
  hand_over<<<1, 65>>>(out, wrong);
}

// The block's sync() instead of the grid's.
// pair: block_in_place_of_grid
// exact: race @part,@sum part
__global__ void grid_sum(int* part, int* out, bool wrong) {
  if (threadIdx.x == 0) part[blockIdx.x] = blockIdx.x;  // @part
  if (wrong)
    cg::this_thread_block().sync();
  else
    cg::this_grid().sync();
  int sum = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) sum += part[b];  // @sum
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
PAIR(block_in_place_of_grid) {
  const Zeros<int> part(4), out(4);
  int *parts = part, *outs = out;
  void* arguments[] = {&parts, &outs, &wrong};
  cudaLaunchCooperativeKernel((void*)grid_sum, dim3(4), dim3(32), arguments, 0, nullptr);
}

// In a launch without clusters each block is a cluster. The barrier in two halves orders accesses before the first half
// and after the second, also for threads that reach the halves on different paths.
// pair: between_two_halves
// exact: race @write,@read values
__global__ void cluster_halves(int* out, bool wrong) {
  __shared__ int values[64];
  const cg::cluster_group cluster = cg::this_cluster();
  values[threadIdx.x] = threadIdx.x;  // @write
  if (threadIdx.x < 32) {
    cluster.sync();
    out[threadIdx.x] = values[63 - threadIdx.x];
  } else {
    auto token = cluster.barrier_arrive();
    if (!wrong) cluster.barrier_wait(std::move(token));
    const int other = values[threadIdx.x == 63 ? 32 : threadIdx.x + 1];  // @read
    if (wrong) cluster.barrier_wait(std::move(token));
    out[threadIdx.x] = other;
  }
}
PAIR(between_two_halves) {
  const Zeros<int> out(64);
  cluster_halves<<<1, 64>>>(out, wrong);
}
