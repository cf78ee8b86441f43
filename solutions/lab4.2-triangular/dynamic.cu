// dynamic.cu: the seventh map. Kernels launch kernels, and no formula is needed: a triangle is a rectangle and
// two triangles of half its side.
//
//      ■                      upper triangle, `upper` rows
//      ■ ■                    the rectangle, upper columns × (side - upper) rows: dynamicKernel does it
//      □ □ ■                  lower triangle, side - upper rows
//      □ □ ■ ■                (here side = 4 and upper = 2; an odd side has one row more in the upper one)
//
// One thread of the kernel that does the rectangle launches two kernels for the two triangles: the same kernel
// again, or, for a triangle that is no longer divided, a small bounding box.
//
// A launch from a kernel needs relocatable device code (nvcc -rdc=true). It goes into the stream
// cudaStreamFireAndForget, so that it waits for nothing: in the block's own stream the two children would run
// one after the other. A parent can't wait for its children; but the grid counts as finished when all its
// descendants are, so the host waits as ever. At most 24 launches may be nested, and 2,048 may wait at a time
// unless the host sets another limit.
//
// Run it:  grader lab4.2
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include "maps.h"
#include "payloads.h"

#ifndef SHIFTS
#define SHIFTS 1  // 0: sides are halved by a division, not by a shift
#endif

namespace {

// A triangle of blocks on the diagonal: rows and columns first … first + side - 1.
struct Triangle {
  int first, side;
  // Rows of its upper half, rounded up.
  __host__ __device__ int upper() const { return SHIFTS ? (side + 1) >> 1 : (side + 1) / 2; }
};

// What all launches of one run have in common.
struct Run {
  int N;       // cells along a side
  int cut;     // blocks: triangles of at most this many rows are not divided
  bool empty;  // the control: one block for each launch, and nothing is done
};

__device__ int launch_error;  // of the first launch from a kernel that failed

}  // namespace

// A triangle is done by a bounding box when it is small, or when it is deep enough in the tree of launches.
__host__ __device__ static bool isWhole(const Triangle& triangle, const Run& run, int depth) {
  return triangle.side <= run.cut || triangle.side < 2 || depth == 0;
}

// The grid of a triangle's own launch: its box, or its rectangle.
__host__ __device__ static dim3 gridOf(const Triangle& triangle, const Run& run, int depth) {
  if (run.empty) return dim3(1);
  if (isWhole(triangle, run, depth)) return dim3(triangle.side, triangle.side);
  return dim3(triangle.upper(), triangle.side - triangle.upper());
}

// The payload, at this thread's cell of a block of the triangle.
template <typename Payload>
static __device__ void visit(const Payload& payload, Place block, std::uint32_t launch, const Run& run) {
  if (run.empty) return;
  const int col = block.col * BLOCK_SIZE + threadIdx.x;
  const int row = block.row * BLOCK_SIZE + threadIdx.y;
  payload(Cell{col, row, isUseful(col, row, run.N), launch});
}

// A triangle that is not divided.   grid: its box
template <typename Payload>
static __global__ void boxKernel(Payload payload, Triangle triangle, std::uint32_t launch, Run run) {
  const int x = blockIdx.x, y = blockIdx.y;
  if (x > y) return;
  visit(payload, {triangle.first + x, triangle.first + y}, launch, run);
}

// The rectangle of a triangle, and the launches of its two triangles.   grid: the rectangle
//   launch   number of this launch; those of its children are 2 * launch and 2 * launch + 1
//   depth    how often its children may still be divided
template <typename Payload>
static __global__ void dynamicKernel(Payload payload, Triangle triangle, std::uint32_t launch, int depth,
                                     Run run) {
  const int upper = triangle.upper();
  // One thread of the whole grid: each one would launch children of its own.
  if (blockIdx.x == 0 && blockIdx.y == 0 && threadIdx.x == 0 && threadIdx.y == 0) {
    const dim3 threads(BLOCK_SIZE, BLOCK_SIZE);
    const Triangle children[2] = {{triangle.first, upper}, {triangle.first + upper, triangle.side - upper}};
    for (int i = 0; i < 2; ++i) {
      const Triangle child = children[i];
      const dim3 grid = gridOf(child, run, depth - 1);
      if (isWhole(child, run, depth - 1)) {
        boxKernel<<<grid, threads, 0, cudaStreamFireAndForget>>>(payload, child, 2 * launch + i, run);
      } else {
        dynamicKernel<<<grid, threads, 0, cudaStreamFireAndForget>>>(payload, child, 2 * launch + i,
                                                                     depth - 1, run);
      }
      // The host sees no error of a launch from a kernel: the launching thread has to ask.
      const cudaError_t error = cudaGetLastError();
      if (error != cudaSuccess) atomicCAS(&launch_error, 0, static_cast<int>(error));
    }
  }
  const int x = blockIdx.x, y = blockIdx.y;
  visit(payload, {triangle.first + x, triangle.first + upper + y}, launch, run);
}

namespace {

// The cut in blocks, rounded down so that no triangle is larger than was asked for; at least one block.
Run runOf(int N, const Division& division, bool empty) {
  const int cut = division.cut / BLOCK_SIZE;
  return {N, cut < 1 ? 1 : cut, empty};
}

// All launches of a triangle, as the kernels do them.
void listLaunches(const Triangle& triangle, std::uint32_t launch, int depth, const Run& run,
                  std::vector<Launch>& launches) {
  launches.push_back({launch, gridOf(triangle, run, depth)});
  if (isWhole(triangle, run, depth)) return;
  const int upper = triangle.upper();
  listLaunches({triangle.first, upper}, 2 * launch, depth - 1, run, launches);
  listLaunches({triangle.first + upper, triangle.side - upper}, 2 * launch + 1, depth - 1, run, launches);
}

}  // namespace

std::vector<Launch> dynamicLaunches(const Division& division, int N, bool empty) {
  std::vector<Launch> launches;
  listLaunches({0, blocksFor(N)}, 1, division.depth, runOf(N, division, empty), launches);
  return launches;
}

// The first launch is the host's.
void runDynamic(const Task& task, const Division& division, bool empty) {
  const Triangle all = {0, blocksFor(task.N)};
  const Run run = runOf(task.N, division, empty);
  const dim3 grid = gridOf(all, run, division.depth), threads(BLOCK_SIZE, BLOCK_SIZE);
  withPayload(task, [&](const auto& payload) {
    if (isWhole(all, run, division.depth)) {
      boxKernel<<<grid, threads>>>(payload, all, 1, run);
    } else {
      dynamicKernel<<<grid, threads>>>(payload, all, 1, division.depth, run);
    }
  });
  CUDA_CHECK_LAUNCH();
}

int dynamicError() {
  int error = 0;
  CUDA_CHECK(cudaMemcpyFromSymbol(&error, launch_error, sizeof error));
  return error;
}
