// Thread block clusters: sizes from the kernel and from the launch, barriers, shared memory of other blocks.
#include <cooperative_groups.h>

#include <cstdio>
#include <utility>
#include <vector>

namespace cg = cooperative_groups;

#define CHECK(call)                                                               \
  do {                                                                            \
    const cudaError_t error = (call);                                             \
    if (error != cudaSuccess) printf("%s: %s\n", #call, cudaGetErrorName(error)); \
  } while (0)

// Each block stores a number in its neighbour's variable. The neighbour has not used the variable before.
__global__ void __cluster_dims__(2, 1, 1) swap_numbers(int* out) {
  __shared__ int mine;
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();  // the other block has begun
  if (threadIdx.x == 0) *cluster.map_shared_rank(&mine, cluster.block_rank() ^ 1) = 100 + blockIdx.x;
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = mine;
}

// A histogram whose bins are distributed over the blocks of a cluster (CUDA C++ Programming Guide).
__global__ void histogram(int* bins, int per_block, const int* values, int n) {
  extern __shared__ int local[];
  cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < per_block; i += blockDim.x) local[i] = 0;
  cluster.sync();
  for (int i = cg::this_grid().thread_rank(); i < n; i += blockDim.x * gridDim.x) {
    const int bin = values[i];
    int* there = cluster.map_shared_rank(local, bin / per_block);
    atomicAdd(there + bin % per_block, 1);
  }
  cluster.sync();
  int* const part = bins + cluster.block_rank() * per_block;
  for (int i = threadIdx.x; i < per_block; i += blockDim.x) atomicAdd(&part[i], local[i]);
}

// Passes sums around the ring of a cluster's blocks, with a barrier after each step.
__global__ void ring(int* out) {
  __shared__ int value[2];
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), blocks = cluster.num_blocks();
  int sum = 0;
  if (threadIdx.x == 0) value[0] = 1 << rank;
  for (unsigned step = 0; step < blocks; ++step) {
    auto token = cluster.barrier_arrive();
    cluster.barrier_wait(std::move(token));
    if (threadIdx.x == 0) {
      const int got = *cluster.map_shared_rank(&value[step % 2], (rank + 1) % blocks);
      sum += got;
      value[(step + 1) % 2] = got;
    }
  }
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x + gridDim.x * blockIdx.y] = sum;
}

__global__ void indices(int* out) {
  cg::cluster_group cluster = cg::this_cluster();
  cg::grid_group grid = cg::this_grid();
  __shared__ int here;
  const dim3 block = cluster.block_index(), index = grid.cluster_index();
  const int at = blockIdx.x + gridDim.x * blockIdx.y;
  int* const other = cluster.map_shared_rank(&here, (int)cluster.num_blocks() - 1);
  if (threadIdx.x == blockDim.x - 1 && threadIdx.y == blockDim.y - 1) {
    out[at * 8 + 0] = block.x;
    out[at * 8 + 1] = block.y;
    out[at * 8 + 2] = cluster.block_rank();
    out[at * 8 + 3] = index.x;
    out[at * 8 + 4] = index.y;
    out[at * 8 + 5] = cluster.thread_rank();
    out[at * 8 + 6] = (int)cluster.query_shared_rank(other);
    out[at * 8 + 7] = cluster.num_threads() + 1000 * (int)grid.num_clusters();
  }
  cluster.sync();
}

cudaLaunchAttribute cluster_of(unsigned x, unsigned y) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = x;
  attribute.val.clusterDim.y = y;
  attribute.val.clusterDim.z = 1;
  return attribute;
}

int main() {
  int* out = nullptr;
  CHECK(cudaMallocManaged(&out, 4096 * sizeof(int)));

  swap_numbers<<<6, 32>>>(out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 6; ++i) printf("%d%c", out[i], i < 5 ? ' ' : '\n');
  cudaFuncAttributes known{};
  CHECK(cudaFuncGetAttributes(&known, swap_numbers));
  printf("required %d x %d x %d\n", known.requiredClusterWidth, known.requiredClusterHeight,
         known.requiredClusterDepth);

  const int n = 20000, per_block = 32, blocks = 4;
  int *values = nullptr, *bins = nullptr;
  CHECK(cudaMallocManaged(&values, n * sizeof(int)));
  CHECK(cudaMallocManaged(&bins, per_block * blocks * sizeof(int)));
  std::vector<int> expected(per_block * blocks, 0);
  for (int i = 0; i < n; ++i) ++expected[values[i] = (i * 7919 + i / 3) % (per_block * blocks)];
  for (int i = 0; i < per_block * blocks; ++i) bins[i] = 0;
  cudaLaunchAttribute attribute = cluster_of(blocks, 1);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(3 * blocks);
  config.blockDim = dim3(128);
  config.dynamicSmemBytes = per_block * sizeof(int);
  config.attrs = &attribute;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, histogram, bins, per_block, (const int*)values, n));
  CHECK(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < per_block * blocks; ++i) wrong += bins[i] != expected[i];
  printf("histogram: %d of %d bins differ\n", wrong, per_block * blocks);

  attribute = cluster_of(8, 1);
  config.gridDim = dim3(16, 2);
  config.blockDim = dim3(64);
  CHECK(cudaLaunchKernelEx(&config, ring, out));
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) wrong += out[i] != 255;
  printf("ring: %d blocks differ\n", wrong);

  attribute = cluster_of(2, 2);
  config.gridDim = dim3(4, 2);
  config.blockDim = dim3(8, 4);
  CHECK(cudaLaunchKernelEx(&config, indices, out));
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) printf("%d%c", out[i * 8 + j], j < 7 ? ' ' : '\n');
  // Without a cluster, each block is a cluster by itself.
  indices<<<2, dim3(8, 4)>>>(out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 8; ++j) printf("%d%c", out[i * 8 + j], j < 7 ? ' ' : '\n');

  config.gridDim = dim3(3, 2);
  printf("a grid that clusters don't fill: %s\n",
         cudaLaunchKernelEx(&config, indices, out) == cudaSuccess ? "runs" : "refused");
  cudaGetLastError();
  attribute = cluster_of(16, 2);
  config.gridDim = dim3(32, 2);
  printf("clusters of 32 blocks: %s\n",
         cudaLaunchKernelEx(&config, indices, out) == cudaSuccess ? "run" : "refused");
  cudaGetLastError();
  int size = 0;
  attribute = cluster_of(2, 1);
  CHECK(cudaOccupancyMaxPotentialClusterSize(&size, indices, &config));
  int clusters = 0;
  CHECK(cudaOccupancyMaxActiveClusters(&clusters, indices, &config));
  printf("at most %d blocks, %s clusters at once\n", size, clusters > 1 ? "several" : "no");
  CHECK(cudaDeviceSynchronize());
  return 0;
}
