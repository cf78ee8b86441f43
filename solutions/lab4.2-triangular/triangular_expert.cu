// triangular_expert.cu: the triangle as fast as the memory takes it. Beyond the thesis: level 3.
//
// With one cell for each thread no map can be more than twice as fast as the bounding box, which launches twice
// as many blocks as it needs. But is a block for 256 cells, with a store of 4 bytes for each thread, a good use of
// a GPU? Writing 4 N (N + 1) / 2 bytes should take those bytes / bandwidth, and one-cell kernels stay far from
// that. What keeps them from it, and what helps:
//
//   1. A block costs: its start, its map, its guard. Here a block does a tile of 128 × 128 cells.
//   2. A store instruction costs, whether it stores 4 bytes or 16. Here a thread stores 4 cells at a time, and a
//      warp 512 bytes in a row.
//   3. Tiles are given out by Rectangle, in whole numbers and without waste.
//
// box32x8 is what all this is compared with: a bounding box whose blocks are 32 × 8, so that a warp has its 32
// cells in one row. (part 7: expertKernel)
//
// Run it:  grader lab4.2 --level 3
//          triangular 32768 --map=expert
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include "maps.h"
#include "payloads.h"

#ifndef EXPERT_WARPS
#define EXPERT_WARPS 8  // of a block: each does every EXPERT_WARPS-th row of the tile
#endif

namespace {

constexpr int lanes = 32;
constexpr int cells_a_store = 4;             // 16 bytes, the widest store
constexpr int tile = lanes * cells_a_store;  // side of a tile: a warp stores one row of it at a time
constexpr int warps = EXPERT_WARPS;

Rectangle tilesOf(int N) {
  return Rectangle((N + tile - 1) / tile);
}

}  // namespace

// One cell: its number, or one more visit.
template <bool counting>
static __device__ void visit(std::uint32_t* cell, std::uint32_t number) {
  if constexpr (counting) {
    atomicAdd(cell, 1u);
  } else {
    *cell = number;
  }
}

// One cell for each thread, and half of the threads have none.   grid: covers N × N
template <bool counting>
static __global__ void box32x8Kernel(std::uint32_t* cells, int N) {
  const int col = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 8 + threadIdx.y;
  if (isUseful(col, row, N))
    visit<counting>(&cells[static_cast<std::size_t>(row) * N + col], cellsAbove(row) + col + 1);
}

// A tile for each block.   grid: tiles.grid(0)   block: (lanes, warps)
//   cells   (N, N), written
//   whole   may four cells of a row be stored at once? Then N is a multiple of 4, and each row begins at a
//           multiple of 16 bytes, as such a store asks for
template <bool counting>
static __global__ void __launch_bounds__(lanes* warps)
    expertKernel(std::uint32_t* cells, Rectangle tiles, bool whole, int N) {
  const Place mine = tiles.place(0, blockIdx.x, blockIdx.y);
  const int col = mine.col * tile + threadIdx.x * cells_a_store;  // the first of my four columns
  for (int r = threadIdx.y; r < tile; r += warps) {
    const int row = mine.row * tile + r;
    if (row >= N) break;
    std::uint32_t* const first = cells + static_cast<std::size_t>(row) * N + col;
    const std::uint32_t number = cellsAbove(row) + col + 1;
    if (whole && !counting && col + cells_a_store - 1 <= row) {
      *reinterpret_cast<uint4*>(first) = make_uint4(number, number + 1, number + 2, number + 3);
    } else {  // the diagonal goes through my cells
      for (int i = 0; i < cells_a_store; ++i)
        if (isUseful(col + i, row, N)) visit<counting>(first + i, number + i);
    }
  }
}

std::vector<Launch> expertLaunches(Map map, int N) {
  if (map == Map::expert) return {{0, tilesOf(N).grid(0)}};
  return {{0, dim3((N + 31) / 32, (N + 7) / 8)}};
}

void runExpert(Map map, const Task& task) {
  auto* const cells = static_cast<std::uint32_t*>(task.result);
  const dim3 grid = expertLaunches(map, task.N)[0].grid;
  const bool whole = task.N % cells_a_store == 0, counting = task.work == Work::count;
  if (map == Map::box32x8) {
    const auto kernel = counting ? box32x8Kernel<true> : box32x8Kernel<false>;
    kernel<<<grid, dim3(32, 8)>>>(cells, task.N);
  } else {
    const auto kernel = counting ? expertKernel<true> : expertKernel<false>;
    kernel<<<grid, dim3(lanes, warps)>>>(cells, tilesOf(task.N), whole, task.N);
  }
  CUDA_CHECK_LAUNCH();
}
