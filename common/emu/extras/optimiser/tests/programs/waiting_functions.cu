// Barriers and tiles in functions that kernels call: arguments of all kinds, templates, early returns, one
// shared variable for all calls, and groups as arguments.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>

namespace cg = cooperative_groups;

constexpr int threads = 96;

// Each thread receives the value of the thread `by` places after it.
__device__ void rotate(int* s, int& value, int by = 1) {
  s[threadIdx.x] = value;
  __syncthreads();
  value = s[(threadIdx.x + by) % threads];
  __syncthreads();
}

template <int Size, typename T>
__device__ T sum_of_block(T value) {
  constexpr int half = Size / 2;
  __shared__ T s[2 * half];
  s[threadIdx.x] = value;
  __syncthreads();
  for (int left = Size; left > 1; left = (left + 1) / 2) {
    const int other = threadIdx.x + (left + 1) / 2;
    if (other < left) s[threadIdx.x] += s[other];
    __syncthreads();
  }
  const T all = s[0];
  __syncthreads();  // the next call uses s again
  return all;
}

// Returns the same value in all threads.
__device__ int steps(int n) {
  if (n == 0) return -1;
  __syncthreads();
  if (n < 3) {
    __syncthreads();
    return n;
  }
  return n * sum_of_block<threads>(1);
}

template <typename Group>
__device__ int sum_of_group(const Group& group, int value) {
  for (int d = group.size() / 2; d > 0; d /= 2) value += group.shfl_down(value, d);
  return group.shfl(value, 0);
}

__device__ int sum_by_tiles(cg::thread_block block, int value) {
  __shared__ int s[threads / 32];
  const auto warp = cg::tiled_partition<32>(block);
  const int sum = sum_of_group(warp, value);
  if (warp.thread_rank() == 0) s[warp.meta_group_rank()] = sum;
  block.sync();
  int all = 0;
  for (unsigned i = 0; i < warp.meta_group_size(); ++i) all += s[i];
  cg::sync(block);
  return all;
}

__global__ void calls(int* out, int n) {
  __shared__ int ring[threads];
  int value = threadIdx.x;
  rotate(ring, value);
  rotate(ring, value, n);
  const int sum = sum_of_block<threads>(value);
  const long long all = sum_of_block<threads, long long>(sum);
  if (all == 1LL * threads * sum) value += 1000;
  if (n > 2) value += steps(n);
  value += steps(n - 3);
  value += steps(n - 2);
  out[threadIdx.x] = value;
}

__global__ void groups(int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(block);
  const int rank = block.thread_rank();
  int value = sum_by_tiles(block, rank);                                       // 4560
  value += sum_of_group(tile, 1) * 10000;                                      // 8
  value += cg::reduce(tile, rank % 8, cg::greater<int>()) * 1000000;           // 7
  if (tile.ballot(rank % 2 == 1) == 0xaau) value += 100000000;
  if (tile.any(rank == 17)) value += 1000000000;                               // the third tile
  out[rank] = value - tile.thread_rank() - tile.meta_group_rank();
}

int main() {
  int *out, host[threads];
  cudaMalloc(&out, sizeof host);
  calls<<<1, threads>>>(out, 3);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDefault);
  printf("%d %d %d %d\n", host[0], host[1], host[91], host[95]);
  groups<<<1, dim3(16, 6)>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDefault);
  printf("%d %d %d %d\n", host[0], host[15], host[16], host[95]);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
