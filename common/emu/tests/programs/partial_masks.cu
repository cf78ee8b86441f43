// Masks that differ between the lanes of a warp at one call, and the lanes that are together afterwards.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

// Lanes with the same key work together. Each key has its own mask, and all lanes make the call at once.
__global__ void by_key(const int* keys, int* out) {
  const int lane = threadIdx.x % 32;
  const unsigned peers = __match_any_sync(0xffffffff, keys[threadIdx.x]);
  const int leader = __ffs(peers) - 1;
  const int from = __shfl_sync(peers, lane, leader);
  const int count = __reduce_add_sync(peers, 1);
  const unsigned ballot = __ballot_sync(peers, lane % 2);
  const int any = __any_sync(peers, lane == 4), all = __all_sync(peers, lane < 30);
  const unsigned again = __match_any_sync(peers, lane / 8);
  __syncwarp(peers);
  out[threadIdx.x] = from + 100 * count + 10000 * __popc(ballot) + 1000000 * any + 2000000 * all +
                     10000000 * __popc(again);
}

// The usual sum over the lanes with the same key, by one atomic.
__global__ void aggregated(const int* keys, int* bins) {
  const unsigned peers = __match_any_sync(0xffffffff, keys[threadIdx.x]);
  const int leader = __ffs(peers) - 1;
  int first = 0;
  if (static_cast<int>(threadIdx.x % 32) == leader) first = atomicAdd(&bins[keys[threadIdx.x]], __popc(peers));
  first = __shfl_sync(peers, first, leader);
  if (first < 0) bins[15] = first;
}

// The lanes of a branch are together, however the parts of their warp met before.
template <int Size>
__global__ void behind_a_tile(int* out, int rounds) {
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  int value = threadIdx.x;
  for (int i = 0; i < rounds; ++i)
    for (int offset = Size / 2; offset > 0; offset /= 2) value += tile.shfl_xor(value, offset);
  if (threadIdx.x % 3 == 1) {
    auto here = cg::coalesced_threads();
    out[threadIdx.x] = static_cast<int>(here.size() * 100 + here.thread_rank()) + (value < 0);
  }
}

int main() {
  int *keys, *out;
  cudaMallocManaged(&keys, 64 * sizeof(int));
  cudaMallocManaged(&out, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i) keys[i] = i % 5 == 0 ? 7 : i % 3;
  const auto show = [&](const char* name) {
    printf("%s: %s", name, cudaGetErrorName(cudaDeviceSynchronize()));
    for (int i = 0; i < 64; ++i) printf("%s%d", i % 16 == 0 ? "\n  " : " ", out[i]);
    printf("\n");
    for (int i = 0; i < 64; ++i) out[i] = 0;
  };
  for (int i = 0; i < 64; ++i) out[i] = 0;
  by_key<<<1, 64>>>(keys, out);
  show("by_key");
  aggregated<<<1, 64>>>(keys, out);
  show("aggregated");
  behind_a_tile<4><<<1, 64>>>(out, 2);
  show("behind tiles of 4");
  behind_a_tile<16><<<1, 64>>>(out, 1);
  show("behind tiles of 16");
}
