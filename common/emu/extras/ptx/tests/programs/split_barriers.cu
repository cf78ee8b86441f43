// emucc: -gencode arch=compute_90a,code=sm_90a
// Barriers of clusters, grids and blocks in two halves: threads arrive, do other work, and wait.
#include <cooperative_groups.h>
#include <cuda/ptx>

#include <cstdio>
#include <utility>

namespace cg = cooperative_groups;

#define CHECK(call)                                                               \
  do {                                                                            \
    const cudaError_t error = (call);                                             \
    if (error != cudaSuccess) printf("%s: %s\n", #call, cudaGetErrorName(error)); \
  } while (0)

// Some warps of each block meet at the block's barrier before the wait for the cluster, others after it.
__global__ void __cluster_dims__(4, 1, 1) apart(int* out) {
  __shared__ int mine[64], sum;
  cg::cluster_group cluster = cg::this_cluster();
  const int rank = cluster.block_rank(), warp = threadIdx.x / 32;
  mine[threadIdx.x] = 1000 * blockIdx.x + threadIdx.x;
  if (threadIdx.x == 0) sum = 0;
  auto token = cluster.barrier_arrive();
  if ((warp + rank) % 2 == 0) __syncthreads();
  cluster.barrier_wait(std::move(token));
  if ((warp + rank) % 2 != 0) __syncthreads();
  const int got = *cluster.map_shared_rank(&mine[threadIdx.x], (rank + 1) % 4);
  atomicAdd(&sum, got);
  cluster.sync();  // no block may end while others read its shared memory
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// Some warps use the halves of the barrier, others do not. The choice may differ each time.
__global__ void mixed(int* out, int times) {
  __shared__ int box[2];
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), blocks = cluster.num_blocks(), warp = threadIdx.x / 32;
  int last = rank;
  if (threadIdx.x == 0) box[0] = last;
  for (int time = 0; time < times; ++time) {
    if ((time + warp) % 3 == 0) {
      cluster.sync();
    } else {
      cluster.barrier_arrive();
      cluster.barrier_wait();
    }
    if (threadIdx.x == 0) {
      last = *cluster.map_shared_rank(&box[time % 2], (rank + 1) % blocks) * 2 + 1;
      box[(time + 1) % 2] = last;
    }
  }
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = last;
}

// The first block has arrived. It waits only after a message from the second block, which has waited already.
__global__ void __cluster_dims__(2, 1, 1) answered(int* out) {
  __shared__ int flag;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) flag = 0;
  cluster.sync();
  cluster.barrier_arrive();
  if (cluster.block_rank() == 0) {
    if (threadIdx.x == 0)
      while (atomicAdd(&flag, 0) == 0) {
      }
    __syncthreads();
    cluster.barrier_wait();
  } else {
    cluster.barrier_wait();
    if (threadIdx.x == 0) atomicExch(cluster.map_shared_rank(&flag, 0), 7);
  }
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = flag;
}

// No thread waits for threads that have returned.
__global__ void __cluster_dims__(2, 1, 1) leaving(int* out) {
  __shared__ int count;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) count = 0;
  cluster.sync();
  if (threadIdx.x >= 32 * (1 + cluster.block_rank())) return;
  atomicAdd(cluster.map_shared_rank(&count, 0), 1);
  cluster.barrier_arrive();
  cluster.barrier_wait();
  if (threadIdx.x == 0) out[blockIdx.x] = *cluster.map_shared_rank(&count, 0);
  cluster.sync();
}

// The same by PTX, and by the functions of cuda::ptx.
__global__ void __cluster_dims__(2, 1, 1) in_ptx(int* out) {
  __shared__ int value[3];
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned other = cluster.block_rank() ^ 1;
  if (threadIdx.x == 0) value[0] = 10 + blockIdx.x;
  asm volatile("barrier.cluster.arrive.release;" ::: "memory");
  __syncthreads();
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
  if (threadIdx.x == 0) value[1] = *cluster.map_shared_rank(&value[0], other) + 100;
  cuda::ptx::barrier_cluster_arrive();
  __syncthreads();
  cuda::ptx::barrier_cluster_wait();
  if (threadIdx.x == 0) value[2] = *cluster.map_shared_rank(&value[1], other) + 1000;
  __threadfence();
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  if (threadIdx.x == 0) out[blockIdx.x] = value[2];
}

// Blocks of a grid: each sums the values that the others have stored, after some work of its own.
__global__ void grid_halves(int* left, int* out, int rounds) {
  __shared__ int own;
  cg::grid_group grid = cg::this_grid();
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x == 0) left[round * gridDim.x + blockIdx.x] = (round + 1) * (blockIdx.x + 1);
    cg::grid_group::arrival_token token = grid.barrier_arrive();
    if (threadIdx.x == 32) own = round;
    __syncthreads();
    sum += own;
    grid.barrier_wait(std::move(token));
    for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x) sum += left[round * gridDim.x + i];
    __syncthreads();
  }
  atomicAdd(&out[blockIdx.x], sum);
}

// The second half does all of the waiting.
__global__ void block_halves(int* out) {
  __shared__ int values[64];
  cg::thread_block block = cg::this_thread_block();
  values[threadIdx.x] = threadIdx.x * threadIdx.x;
  auto token = block.barrier_arrive();
  block.barrier_wait(std::move(token));
  out[threadIdx.x] = values[63 - threadIdx.x];
}

void print(const char* what, const int* out, int count) {
  CHECK(cudaDeviceSynchronize());
  printf("%s:", what);
  for (int i = 0; i < count; ++i) printf(" %d", out[i]);
  printf("\n");
}

int main() {
  int *out = nullptr, *left = nullptr;
  CHECK(cudaMallocManaged(&out, 64 * sizeof(int)));
  CHECK(cudaMallocManaged(&left, 64 * sizeof(int)));

  apart<<<8, 64>>>(out);
  print("apart", out, 8);

  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 4;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(8);
  config.blockDim = dim3(96);
  config.attrs = &attribute;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, mixed, out, 7));
  print("mixed", out, 8);
  mixed<<<2, 96>>>(out, 7);  // without clusters
  print("blocks alone", out, 2);

  answered<<<4, 64>>>(out);
  print("answered", out, 4);
  leaving<<<4, 96>>>(out);
  print("leaving", out, 4);
  in_ptx<<<4, 64>>>(out);
  print("in PTX", out, 4);

  for (int i = 0; i < 6; ++i) out[i] = 0;
  int rounds = 3;
  void* arguments[] = {&left, &out, &rounds};
  CHECK(cudaLaunchCooperativeKernel(grid_halves, dim3(6), dim3(64), arguments));
  print("grid", out, 6);

  block_halves<<<1, 64>>>(out);
  print("block", out, 5);
  CHECK(cudaFree(out));
  CHECK(cudaFree(left));
  return 0;
}
