// grid.cu: hardly any pairs. Balls that touch lie in the same cell of a grid or in neighbouring ones, if no cell is smaller
// than a ball: so a ball looks at 27 cells, and not at N balls.
//
// Each cell has a list of its balls. Lists need no counting and no sorting, only one exchange for each ball:
//
//      first[cell]          behind[ball]
//      cell 5: 7  ──▶ ball 7: 2  ──▶ ball 2: -1        ball i joins: behind[i] = what first[cell] was
//      cell 6: -1                                                     first[cell] = i
//
// In which order balls join depends on who comes first, and so does the order in which changes are added: as whole numbers
// they come to the same sum.
//
//   1. join       one thread a ball: gravity and walls, as in prepareKernel; the ball joins the list of its cell
//   2. neighbours one thread a ball: all its collisions, then decay and advance. The sum stays in registers: no other thread
//                 adds to this ball. Each pair is computed twice, once for each of its balls.
//
// Run it:  grader lab5.1 --level 3
//          nbody 8192 1000 --version grid
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include <utility>

#include "nbody.h"

// The number of a cell.   x, y, z   [0, grid.side)
static __device__ int cellOf(const lab::BallGrid& grid, int x, int y, int z) {
  return (z * grid.side + y) * grid.side + x;
}

// grid: as many threads as balls, or a few more
//   first    (cells), -1 before the launch
//   behind   (N), written
__global__ void joinKernel(DeviceBalls P, int N, lab::BallStep step, lab::BallGrid grid, int* first,
                           int* behind) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  lab::Position position = P.position[i];
  lab::Velocity velocity = P.velocity[i];
  lab::fall_and_bounce(position, velocity, step);
  P.position[i] = position;
  P.velocity[i] = velocity;
  const int cell = cellOf(grid, grid.along(position.x), grid.along(position.y), grid.along(position.z));
  // ---- part 7: ball i joins the list of its cell (one line) --------------------------------------------------------
  // Ball i becomes the first one of its cell, and what was the first one follows it. Two balls of one cell may come at
  // the same time.
  (void)first, (void)behind, (void)cell;  // until they are used: no warning
  LAB_TODO(7);
  // ---- end of part 7 -----------------------------------------------------------------------------------------------
}

// grid: the same
//   Q   written: the next state
// __launch_bounds__: a thread takes no more registers than a whole block of this size can have.
__global__ void __launch_bounds__(BLOCK_SIZE)
    neighboursKernel(DeviceBalls P, DeviceBalls Q, int N, lab::BallStep step, lab::BallGrid grid,
                     const int* first, const int* behind) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  lab::Position position = P.position[i];
  const lab::Velocity before = P.velocity[i];
  lab::Velocity velocity = before;
  const int last = grid.side - 1;
  const int cx = grid.along(position.x), cy = grid.along(position.y), cz = grid.along(position.z);
  // ---- part 7: collisions with the balls of 27 cells (twelve lines) ------------------------------------------------
  // Cells (cx - 1, cy - 1, cz - 1) … (cx + 1, cy + 1, cz + 1), as far as they are in the grid; of each one all balls of its
  // list. The change goes to `velocity`, which no other thread sees: no atomics. What would ball i do to itself?
  (void)cellOf, (void)before, (void)last, (void)cx, (void)cy, (void)cz, (void)first, (void)behind;  // until they are used: no warning
  LAB_TODO(7);
  // ---- end of part 7 -----------------------------------------------------------------------------------------------
  lab::advance(position, velocity, step);
  Q.position[i] = position;
  Q.velocity[i] = velocity;
}

void takeGridStep(Simulation& simulation) {
  const int N = simulation.N;
  const std::size_t bytes = sizeof(int) * static_cast<std::size_t>(simulation.grid.cells());
  // ---- part 7: empty lists (one line) ------------------------------------------------------------------------------
  // Every cell begins a step without balls: -1. cudaMemsetAsync sets bytes, in the same stream as the kernels.
  (void)bytes;  // until they are used: no warning
  LAB_TODO(7);
  // ---- end of part 7 -----------------------------------------------------------------------------------------------
  joinKernel<<<blocksFor(N), BLOCK_SIZE>>>(simulation.P, N, simulation.step, simulation.grid,
                                           simulation.first, simulation.behind);
  CUDA_CHECK_LAUNCH();
  neighboursKernel<<<blocksFor(N), BLOCK_SIZE>>>(simulation.P, simulation.Q, N, simulation.step,
                                                 simulation.grid, simulation.first, simulation.behind);
  CUDA_CHECK_LAUNCH();
  std::swap(simulation.P, simulation.Q);
}
