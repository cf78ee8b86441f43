// check.cu: what came out, as numbers that are small enough to be compared. The maps play no part here: a block
// for each row, and its threads go through the columns.
#include <lab/check.hpp>

#include "payloads.h"

namespace {

constexpr int threads = 256;  // of a block, a power of two

}  // namespace

// The sum of `mine` over the threads of the block; thread 0 gets it.
static __device__ std::uint64_t sumOfBlock(std::uint64_t mine) {
  __shared__ std::uint64_t sums[threads];
  const int t = threadIdx.x;
  sums[t] = mine;
  __syncthreads();
  for (int distance = threads / 2; distance >= 1; distance /= 2) {
    if (t < distance) sums[t] += sums[t + distance];
    __syncthreads();
  }
  return sums[0];
}

// grid: a block for each row
static __global__ void checksumKernel(std::uint64_t* sums, const std::uint32_t* cells, int N, bool solid) {
  const int row = blockIdx.x;
  const std::size_t columns = solid ? static_cast<std::size_t>(N) * N : N;
  std::uint64_t mine = 0;
  for (std::size_t col = threadIdx.x; col < columns; col += threads) {
    const std::uint32_t cell = cells[row * columns + col];
    const int y = solid ? static_cast<int>(col / N) : row, x = static_cast<int>(col % N);
    const bool inside = x <= y && y <= row;
    if (inside || cell != unvisited) mine += cell * (col + 1);
  }
  const std::uint64_t sum = sumOfBlock(mine);
  if (threadIdx.x == 0) sums[row] = sum & checksum_mask;
}

// grid: a few blocks, whose threads take turns
static __global__ void markKernel(std::uint32_t* cells, std::size_t count) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * threads;
  for (std::size_t i = blockIdx.x * threads + threadIdx.x; i < count; i += stride) cells[i] = unvisited;
}

static __global__ void rightCountsKernel(unsigned long long* right, const std::uint32_t* counts, int N) {
  const int row = blockIdx.x;
  std::uint64_t mine = 0;
  for (int col = threadIdx.x; col < N; col += threads)
    mine += counts[static_cast<std::size_t>(row) * N + col] == (col <= row ? 1 : 0);
  const std::uint64_t sum = sumOfBlock(mine);
  if (threadIdx.x == 0) atomicAdd(right, sum);
}

void checksumRows(std::uint64_t* sums, const std::uint32_t* cells, int N, bool solid) {
  checksumKernel<<<N, threads>>>(sums, cells, N, solid);
  CUDA_CHECK_LAUNCH();
}

void markCells(std::uint32_t* cells, std::size_t count) {
  constexpr std::size_t most_blocks = 4096;
  const std::size_t needed = (count + threads - 1) / threads;
  const auto blocks = static_cast<unsigned>(needed > most_blocks ? most_blocks : needed);
  markKernel<<<blocks, threads>>>(cells, count);
  CUDA_CHECK_LAUNCH();
}

std::uint64_t rightCounts(const std::uint32_t* counts, int N) {
  unsigned long long* sum = nullptr;
  unsigned long long right = 0;
  CUDA_CHECK(cudaMalloc(&sum, sizeof right));
  CUDA_CHECK(cudaMemset(sum, 0, sizeof right));
  rightCountsKernel<<<N, threads>>>(sum, counts, N);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(&right, sum, sizeof right, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(sum));
  return right;
}
