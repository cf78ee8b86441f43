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
  behind[i] = atomicExch(&first[cell], i);  // one step: no two balls find the same first one
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
  for (int z = max(cz - 1, 0); z <= min(cz + 1, last); ++z) {
    for (int y = max(cy - 1, 0); y <= min(cy + 1, last); ++y) {
      for (int x = max(cx - 1, 0); x <= min(cx + 1, last); ++x) {
        for (int j = first[cellOf(grid, x, y, z)]; j >= 0; j = behind[j]) {
          if (j == i || !lab::overlap(position, P.position[j], step)) continue;
          const lab::Velocity change = lab::collision(position, before, P.position[j], P.velocity[j]);
          velocity.x += change.x;
          velocity.y += change.y;
          velocity.z += change.z;
        }
      }
    }
  }
  lab::advance(position, velocity, step);
  Q.position[i] = position;
  Q.velocity[i] = velocity;
}

void takeGridStep(Simulation& simulation) {
  const int N = simulation.N;
  const std::size_t bytes = sizeof(int) * static_cast<std::size_t>(simulation.grid.cells());
  CUDA_CHECK(cudaMemsetAsync(simulation.first, 0xff, bytes));  // every int becomes -1
  joinKernel<<<blocksFor(N), BLOCK_SIZE>>>(simulation.P, N, simulation.step, simulation.grid,
                                           simulation.first, simulation.behind);
  CUDA_CHECK_LAUNCH();
  neighboursKernel<<<blocksFor(N), BLOCK_SIZE>>>(simulation.P, simulation.Q, N, simulation.step,
                                                 simulation.grid, simulation.first, simulation.behind);
  CUDA_CHECK_LAUNCH();
  std::swap(simulation.P, simulation.Q);
}
