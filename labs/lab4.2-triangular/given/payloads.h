// payloads.h: what is done at each cell of the triangle. A payload is called by every thread of a block that
// lies in the triangle, also by those whose own cell does not: some need all threads of the block.
//
//   Write        a value at each cell, the least that a cell can ask for
//   Distance     the distance of two points: some arithmetic, two loads, a store
//   Neighbours   how many of the points before it each point has near it: one result a row, added up in shared
//                memory
//   Count        how often each cell was visited: for tests
//   Trace        which block of which launch came: for figures
//   Timeline     Write, and when each launch was at work
#ifndef PAYLOADS_H
#define PAYLOADS_H

#include "triangular.h"

// The cell of a thread.
struct Cell {
  int col, row;          // 0 <= col <= row < N, if it is useful
  bool useful;           // is it in the triangle?
  std::uint32_t launch;  // number of the launch
};

// Cells in the rows above `row`: 0, 1, 3, 6, 10 … For row < 65,536 the product is below 2^32.
__host__ __device__ constexpr std::uint32_t cellsAbove(std::uint32_t row) {
  return row * (row + 1) / 2;
}

// Where a cell is in an (N, N) array. For N = 65,536 that needs more than 32 bits.
__host__ __device__ constexpr std::size_t indexOf(const Cell& cell, int N) {
  return static_cast<std::size_t>(cell.row) * N + cell.col;
}

struct Write {
  std::uint32_t* cells;  // (N, N)
  int N;
  __device__ void operator()(const Cell& cell) const {
    if (cell.useful) cells[indexOf(cell, N)] = cellsAbove(cell.row) + cell.col + 1;
  }
};

struct Distance {
  float* cells;  // (N, N)
  const float2* points;
  int N;
  __device__ void operator()(const Cell& cell) const {
    if (!cell.useful) return;
    const float2 a = points[cell.col], b = points[cell.row];
    cells[indexOf(cell, N)] = sqrtf((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
  }
};

struct Neighbours {
  static constexpr float radius = 100;
  int* neighbours;  // (N)
  const float2* points;
  int N;
  __device__ void operator()(const Cell& cell) const {
    __shared__ float2 of_column[BLOCK_SIZE],
        of_row[BLOCK_SIZE];            // the points of the block's columns and rows
    __shared__ int found[BLOCK_SIZE];  // neighbours of each row, in this block
    const int tx = threadIdx.x, ty = threadIdx.y, my_row = cell.row - ty + tx;
    if (ty == 0) {
      of_column[tx] = points[cell.col < N ? cell.col : N - 1];
      of_row[tx] = points[my_row < N ? my_row : N - 1];
      found[tx] = 0;
    }
    __syncthreads();  // all points are there, and the counters are 0
    const float dx = of_column[tx].x - of_row[ty].x, dy = of_column[tx].y - of_row[ty].y;
    if (cell.useful && cell.col < cell.row && dx * dx + dy * dy <= radius * radius) atomicAdd(&found[ty], 1);
    __syncthreads();  // all have counted
    if (ty == 0 && my_row < N && found[tx] > 0) atomicAdd(&neighbours[my_row], found[tx]);
  }
};

struct Count {
  std::uint32_t* cells;  // (N, N)
  int N;
  __device__ void operator()(const Cell& cell) const {
    if (cell.useful) atomicAdd(&cells[indexOf(cell, N)], 1u);
  }
};

struct Trace {
  std::uint32_t* cells;  // (N, N): bit 31, launch (11 bits), y (10 bits) and x (10 bits) of the block
  int N;
  __device__ void operator()(const Cell& cell) const {
    if (cell.useful) cells[indexOf(cell, N)] = 1u << 31 | cell.launch << 20 | blockIdx.y << 10 | blockIdx.x;
  }
};

struct Timeline {
  std::uint32_t* cells;  // (N, N)
  int N;
  unsigned long long* times;
  __device__ static unsigned long long now() {
    unsigned long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
  }
  __device__ void operator()(const Cell& cell) const {
    const bool first = threadIdx.x == 0 && threadIdx.y == 0;
    if (first) atomicMin(&times[2 * cell.launch], now());
    if (cell.useful) cells[indexOf(cell, N)] = cellsAbove(cell.row) + cell.col + 1;
    if (first) atomicMax(&times[2 * cell.launch + 1], now());
  }
};

// Calls `function` with the payload of a task.
template <typename Function>
void withPayload(const Task& task, const Function& function) {
  auto* const cells = static_cast<std::uint32_t*>(task.result);
  switch (task.work) {
    case Work::write:
      return function(Write{cells, task.N});
    case Work::distance:
      return function(Distance{static_cast<float*>(task.result), task.points, task.N});
    case Work::neighbours:
      return function(Neighbours{static_cast<int*>(task.result), task.points, task.N});
    case Work::count:
      return function(Count{cells, task.N});
    case Work::trace:
      return function(Trace{cells, task.N});
    case Work::timeline:
      return function(Timeline{cells, task.N, task.times});
  }
}

#endif
