// emucc: -std=c++17
// Cooperative groups: blocks, tiles, coalesced threads, partitions, reductions and scans.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>
namespace cg = cooperative_groups;

template <class Group>
__device__ int tree_sum(const Group& g, int value) {
  for (int step = g.size() / 2; step > 0; step /= 2) value += g.shfl_down(value, step);
  return g.shfl(value, 0);
}
__device__ int block_sum(cg::thread_block block, int value, int* slots) {
  auto tile = cg::tiled_partition<32>(block);
  const int sum = cg::reduce(tile, value, cg::plus<int>());
  if (tile.thread_rank() == 0) slots[tile.meta_group_rank()] = sum;
  block.sync();
  int total = 0;
  for (unsigned w = 0; w < tile.meta_group_size(); ++w) total += slots[w];
  block.sync();
  return total;
}
__global__ void tiles(int* out) {
  cg::thread_block block = cg::this_thread_block();
  __shared__ int slots[32];
  auto tile8 = cg::tiled_partition<8>(block);
  cg::thread_block_tile<4> tile4 = cg::tiled_partition<4>(tile8);
  cg::thread_group dynamic = cg::tiled_partition(block, 16);
  int* const mine = out + block.thread_rank() * 24;
  int i = 0;
  mine[i++] = block.size() + block.group_index().x + block.thread_index().y;
  mine[i++] = tile8.thread_rank() + tile8.size() * 10 + tile8.meta_group_rank() * 100;
  mine[i++] = tree_sum(tile8, block.thread_rank());
  mine[i++] = tree_sum(tile4, block.thread_rank());
  mine[i++] = dynamic.thread_rank() + dynamic.size() * 100;
  mine[i++] = tile8.ballot(tile8.thread_rank() % 2);
  mine[i++] = tile8.any(tile8.thread_rank() == 7) + 2 * tile8.all(tile8.thread_rank() == 7);
  mine[i++] = tile8.match_any(static_cast<int>(tile8.thread_rank() / 3));
  mine[i++] = tile8.shfl_xor(static_cast<int>(block.thread_rank()), 3) + tile8.shfl_up(1, 1);
  mine[i++] = cg::reduce(tile8, static_cast<int>(tile8.thread_rank()), cg::greater<int>());
  mine[i++] = cg::reduce(tile4, 1 << tile4.thread_rank(), cg::bit_or<int>());
  mine[i++] = cg::inclusive_scan(tile8, static_cast<int>(tile8.thread_rank()));
  mine[i++] = cg::exclusive_scan(tile8, 2);
  mine[i++] = block_sum(block, block.thread_rank(), slots);
  if (block.thread_rank() % 3 == 0) {
    cg::coalesced_group active = cg::coalesced_threads();
    mine[i++] = active.size() * 100 + active.thread_rank();
    mine[i++] = active.shfl(static_cast<int>(block.thread_rank()), active.size() - 1);
    mine[i++] = cg::reduce(active, static_cast<int>(block.thread_rank()), cg::plus<int>());
    active.sync();
  } else {
    for (int k = 0; k < 3; ++k) mine[i++] = -1;
  }
  auto parity = cg::binary_partition(tile8, tile8.thread_rank() > 4);
  mine[i++] = parity.size() * 10 + parity.thread_rank();
  auto labelled = cg::labeled_partition(tile8, static_cast<int>(tile8.thread_rank() % 3));
  mine[i++] = labelled.size() * 10 + labelled.thread_rank();
  dynamic.sync();
  cg::sync(block);
  mine[i++] = cg::this_grid().thread_rank() + 1000 * cg::this_grid().num_blocks();
  cg::invoke_one(tile8, [&] { mine[i] = 1; });
}
int main() {
  const int n = 64;
  int *out, host[n * 24];
  cudaMalloc(&out, sizeof host);
  cudaMemset(out, 0, sizeof host);
  tiles<<<1, dim3(16, 4)>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int t : {0, 5, 27, 63}) {
    printf("thread %d:", t);
    for (int i = 0; i < 20; ++i) printf(" %d", host[t * 24 + i]);
    printf("\n");
  }
  int elected = 0;
  for (int t = 0; t < n; ++t) elected += host[t * 24 + 20];
  printf("%d elected, %s\n", elected, cudaGetErrorName(cudaGetLastError()));
}
