// tetrahedron.cu: the same question in three dimensions. Beyond the thesis: level 3.
//
//   cells (x, y, z) with 0 <= x <= y <= z < N:  N (N + 1) (N + 2) / 6 of them, as of all triples without regard
//   to their order
//
// A triangle fills half of its square; a tetrahedron fills a sixth of its cube. So a cube of blocks has five of
// six blocks for nothing, and a map can gain six times as much as it costs.
//
// The map is LowerTriangular with one dimension more: blocks are numbered slice by slice, and in a slice row by
// row. Slice z begins with number z (z + 1) (z + 2) / 6. A cube root finds it, and whole numbers correct the
// root, as for rows. (part 8)
//
//   slice z = 0   z = 1      z = 2
//         0       1          4            number 7: slice 2, which begins with 4; 7 - 4 = 3 is row 2, column 0
//                 2 3        5 6
//                            7 8 9
//
// Run it:  grader lab4.2 --level 3
//          triangular 512 --map=tetrahedron
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include "maps.h"
#include "payloads.h"

namespace {

constexpr int solid_side = 8;  // of a block: 8 × 8 × 8 = 512 threads

// A block of the tetrahedron: 0 <= x <= y <= z.
struct SolidPlace {
  int x, y, z;
};

}  // namespace

// Blocks, or cells, in the slices before `z`.
__host__ __device__ static std::int64_t solidsBefore(int z) {
  return std::int64_t{z} * (z + 1) * (z + 2) / 6;
}

// The block of the tetrahedron with this number.
static __device__ SolidPlace solidPlace(int number) {
  int z = static_cast<int>(cbrtf(6.0f * static_cast<float>(number)));
  while (solidsBefore(z) > number) --z;
  while (solidsBefore(z + 1) <= number) ++z;
  // Within its slice it is a block of a triangle.
  const Place place = LowerTriangular(z + 1).place(0, static_cast<int>(number - solidsBefore(z)), 0);
  return {place.col, place.row, z};
}

// One cell for each thread.   block: (8, 8, 8)
//   cells   (N, N, N), written
//   grid    cube: covers N × N × N; else a block for each block of the tetrahedron
template <bool cube, bool counting>
static __global__ void solidKernel(std::uint32_t* cells, int N) {
  SolidPlace block = {static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y),
                      static_cast<int>(blockIdx.z)};
  if constexpr (!cube) block = solidPlace(blockIdx.x);
  const int x = block.x * solid_side + threadIdx.x;
  const int y = block.y * solid_side + threadIdx.y;
  const int z = block.z * solid_side + threadIdx.z;
  if (x > y || y > z || z >= N) return;
  std::uint32_t& cell = cells[(static_cast<std::size_t>(z) * N + y) * N + x];
  if constexpr (counting) {
    atomicAdd(&cell, 1u);
  } else {
    cell = static_cast<std::uint32_t>(solidsBefore(z)) + cellsAbove(y) + x + 1;
  }
}

std::vector<Launch> solidLaunches(Map map, int N) {
  const int n = (N + solid_side - 1) / solid_side;
  if (map == Map::cube) return {{0, dim3(n, n, n)}};
  return {{0, dim3(static_cast<unsigned>(solidsBefore(n)))}};
}

void runSolid(Map map, const Task& task) {
  auto* const cells = static_cast<std::uint32_t*>(task.result);
  const bool counting = task.work == Work::count;
  auto kernel = counting ? solidKernel<false, true> : solidKernel<false, false>;
  if (map == Map::cube) kernel = counting ? solidKernel<true, true> : solidKernel<true, false>;
  kernel<<<solidLaunches(map, task.N)[0].grid, dim3(solid_side, solid_side, solid_side)>>>(cells, task.N);
  CUDA_CHECK_LAUNCH();
}
