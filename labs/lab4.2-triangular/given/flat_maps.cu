// flat_maps.cu: the kernel of the maps of maps.h and roots.h, and its launches.
//
//   thread (tx, ty) of block (x, y)  ──map──▶  block (col, row) of the triangle
//                                    ────────▶ cell (col * BLOCK_SIZE + tx, row * BLOCK_SIZE + ty), if useful
//
// Run it:  grader lab4.2
#include <lab/check.hpp>

#include "maps.h"
#include "payloads.h"
#include "roots.h"

// @param launch  which of the map's launches this is
template <typename Map, typename Payload>
__global__ void mapKernel(Map map, Payload payload, int launch, int N) {
  const Place block = map.place(launch, blockIdx.x, blockIdx.y);
  if (block.row < 0) return;  // the whole block: so payloads may have barriers
  const int col = block.col * BLOCK_SIZE + threadIdx.x;
  const int row = block.row * BLOCK_SIZE + threadIdx.y;
  payload(Cell{col, row, isUseful(col, row, N), static_cast<std::uint32_t>(launch)});
}

// found[4 i …] = place of the first and of the last block of row i.   grid: a thread for each row, or a few more
template <typename Map>
static __global__ void rowsKernel(Map map, int* found, int rows) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  const std::int64_t begin = std::int64_t{i} * (i + 1) / 2;
  const Place first = map.place(0, static_cast<int>(begin), 0);
  const Place last = map.place(0, static_cast<int>(begin + i), 0);
  found[4 * i] = first.col;
  found[4 * i + 1] = first.row;
  found[4 * i + 2] = last.col;
  found[4 * i + 3] = last.row;
}

namespace {

// Calls `function` with the map of this name.
template <typename Function>
void withMap(Map name, int N, const Function& function) {
  const int n = blocksFor(N);
  if (name == Map::box) function(BoundingBox(n));
  if (name == Map::rectangle) function(Rectangle(n));
  if (name == Map::recursive) function(Recursive(n));
  if (name == Map::lower) function(LowerTriangular(n));
  if (name == Map::lower_single) function(Uncorrected<Root::single>(n));
  if (name == Map::lower_fast) function(Uncorrected<Root::fast>(n));
  if (name == Map::lower_wide) function(Uncorrected<Root::wide>(n));
  if (name == Map::upper) function(UpperTriangular(n));
  if (name == Map::flat_basic) function(FlatRecursive<true>(n));
  if (name == Map::flat) function(FlatRecursive<false>(n));
}

}  // namespace

std::vector<Launch> flatLaunches(Map name, int N) {
  std::vector<Launch> launches;
  withMap(name, N, [&](const auto& map) {
    for (int launch = 0; launch < map.launches(); ++launch)
      launches.push_back({static_cast<std::uint32_t>(launch), map.grid(launch)});
  });
  return launches;
}

void runFlat(Map name, const Task& task) {
  withMap(name, task.N, [&](const auto& map) {
    withPayload(task, [&](const auto& payload) {
      for (int launch = 0; launch < map.launches(); ++launch) {
        mapKernel<<<map.grid(launch), dim3(BLOCK_SIZE, BLOCK_SIZE)>>>(map, payload, launch, task.N);
        CUDA_CHECK_LAUNCH();
      }
    });
  });
}

std::vector<std::int32_t> findRows(Map name, int rows) {
  std::vector<std::int32_t> found(4 * static_cast<std::size_t>(rows));
  int* d_found = nullptr;
  CUDA_CHECK(cudaMalloc(&d_found, sizeof(int) * found.size()));
  const auto find = [&](const auto& map) {
    rowsKernel<<<(rows + 255) / 256, 256>>>(map, d_found, rows);
    CUDA_CHECK_LAUNCH();
  };
  if (name == Map::lower) find(LowerTriangular(rows));
  if (name == Map::lower_single) find(Uncorrected<Root::single>(rows));
  if (name == Map::lower_fast) find(Uncorrected<Root::fast>(rows));
  if (name == Map::lower_wide) find(Uncorrected<Root::wide>(rows));
  CUDA_CHECK(cudaMemcpy(found.data(), d_found, sizeof(int) * found.size(), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_found));
  return found;
}
