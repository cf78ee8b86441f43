// Cooperative groups of every kind: tiles of a warp and of several, labelled and binary parts, reductions and
// scans with an atomic after them, copies, the cluster of one block.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>
#include <cuda/atomic>

namespace cg = cooperative_groups;

__device__ int checks[32];

__global__ void wide_tiles(int* out) {
  __shared__ cg::block_tile_memory<256> memory;
  auto block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<128>(block);
  const int rank = static_cast<int>(tile.thread_rank());
  const int sum = cg::reduce(tile, rank + 1000 * static_cast<int>(tile.meta_group_rank()), cg::plus<int>());
  const int first = tile.shfl(static_cast<int>(threadIdx.x), 0);
  const int any = tile.any(threadIdx.x == 77), all = tile.all(threadIdx.x < 128);
  auto part = cg::tiled_partition<32>(tile);
  const int scanned = cg::inclusive_scan(part, 1);
  const int below = cg::exclusive_scan(tile, 2, cg::plus<int>());
  tile.sync();
  out[threadIdx.x] = sum + first + 10 * any + 20 * all + scanned + below +
                     100000 * static_cast<int>(part.meta_group_rank() + 10 * part.meta_group_size());
}

__global__ void parts(int* out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int lane = static_cast<int>(warp.thread_rank());
  auto same = cg::labeled_partition(warp, lane % 3);
  const int total = cg::reduce(same, lane, cg::plus<int>());
  auto half = cg::binary_partition(warp, lane < 10);
  const int greatest = cg::reduce(half, lane, cg::greater<int>());
  const int least = cg::reduce(half, lane, cg::less<int>());
  out[lane] = total + 1000 * greatest + 100000 * least + 10000000 * static_cast<int>(same.size());
  if (lane % 2 == 0) {
    auto here = cg::coalesced_threads();
    if (here.thread_rank() == 3) checks[0] = static_cast<int>(here.size()) * 100 + lane;
    const int position = cg::exclusive_scan(here, 1, cg::plus<int>());
    if (lane == 30) checks[1] = position;
  }
}

__global__ void with_atomics(cuda::atomic<int, cuda::thread_scope_device>* total, int* places, int* order) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  cg::reduce_update_async(tile, *total, 2, cg::plus<int>());
  cg::this_thread_block().sync();
  if (tile.meta_group_rank() == 0) {  // one tile: its threads are known
    places[tile.thread_rank()] = cg::exclusive_scan_update(tile, *total, 3, cg::plus<int>());
  }
  int stored = 0;
  cg::invoke_one(tile, [&] { stored = 1; });
  const int chosen = cg::reduce(tile, stored, cg::plus<int>());
  if (tile.thread_rank() == 0) order[tile.meta_group_rank()] = chosen;
}

__global__ void copies(const int* in, int* out) {
  __shared__ int staged[100];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, staged, in, sizeof(int) * 100);
  cg::wait(block);
  if (block.thread_rank() < 100) out[block.thread_rank()] = staged[99 - block.thread_rank()];
  auto cluster = cg::this_cluster();
  int* const mine = cluster.map_shared_rank(staged, cluster.block_rank());
  cluster.sync();
  if (block.thread_rank() == 0) {
    checks[2] = mine == staged;
    checks[3] = static_cast<int>(cluster.num_blocks() * 10 + cluster.block_rank());
    checks[4] = static_cast<int>(cg::this_grid().num_blocks());
  }
}

int main() {
  int *out, *in;
  cuda::atomic<int, cuda::thread_scope_device>* total;
  cudaMallocManaged(&out, 1024 * sizeof(int));
  cudaMallocManaged(&in, 1024 * sizeof(int));
  cudaMallocManaged(&total, sizeof *total);

  wide_tiles<<<1, 256>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 256; i += 51) printf("wide %d: %d\n", i, out[i]);

  parts<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; i += 5) printf("part %d: %d\n", i, out[i]);

  total->store(5);
  with_atomics<<<1, 64>>>(total, out, in);
  cudaDeviceSynchronize();
  printf("total %d, places", total->load());
  for (int i = 0; i < 16; ++i) printf(" %d", out[i]);
  printf(", chosen %d %d %d %d\n", in[0], in[1], in[2], in[3]);

  for (int i = 0; i < 100; ++i) in[i] = i * i;
  copies<<<1, 128>>>(in, out);
  cudaDeviceSynchronize();
  printf("copied %d %d %d\n", out[0], out[50], out[99]);

  int host[5];
  cudaMemcpyFromSymbol(host, checks, sizeof host);
  printf("checks %d %d %d %d %d\n", host[0], host[1], host[2], host[3], host[4]);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
