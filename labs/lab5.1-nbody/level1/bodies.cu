// bodies.cu: a step of N balls, around its pairs; and the first way to do the pairs, one thread for each ball.
//
// Two states of all balls, P and Q. Nothing of P changes while pairs are computed from it, so that no pair sees what
// another one has done in the same step:
//
//            1. prepare             2. pairs                3. advance          4. exchange
//   P    gravity and walls      read by all pairs                             ┐
//   Q    copy of P          ──▶ velocities: changes ──▶ decay, velocity · dt  ┘  Q is the new P
//                               are added to them
//
// 1 and 3 have one thread for each ball i.
//
// Run it:  grader lab5.1
//          nbody 1000 100 --version following
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include <utility>

#include "collide.h"
#include "nbody.h"

// ------------------------------------------------------------------------------------- 1. and 3. one thread a ball

// Gravity and walls change P; Q begins as a copy of it.   grid: as many threads as balls, or a few more
__global__ void prepareKernel(DeviceBalls P, DeviceBalls Q, int N, lab::BallStep step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;  // my ball
  if (i >= N) return;                                   // the last block has threads without one
  // ---- part 1: gravity and walls for ball i (five lines) -----------------------------------------------------------
  //   a. Read the ball from P into two local variables.
  //   b. lab::fall_and_bounce() changes them: gravity, then the walls.
  //   c. Store them in P, for the pairs to read, and in Q as well, which the pairs will add to.
  (void)P, (void)Q, (void)step;  // until they are used: no warning
  LAB_TODO(1);
  // ---- end of part 1 -----------------------------------------------------------------------------------------------
}

// Q's velocities are complete: Q moves.   grid: the same
__global__ void advanceKernel(DeviceBalls Q, int N, lab::BallStep step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  // ---- part 1: decay and advance for ball i (five lines) -----------------------------------------------------------
  // The same for Q alone, with lab::advance().
  (void)Q, (void)step;  // until they are used: no warning
  LAB_TODO(1);
  // ---- end of part 1 -----------------------------------------------------------------------------------------------
}

// A step. The launches of a stream run one after the other: each one sees all that those before it have done.
void takeStep(Simulation& simulation, Pairs pairs) {
  const int N = simulation.N;
  // ---- part 1: a step (six lines) ----------------------------------------------------------------------------------
  //   a. Launch prepareKernel with one thread for each ball: blocksFor(N) blocks of BLOCK_SIZE threads. Check the launch.
  //   b. Call pairs() with the state that is read, and with the velocities that are added to.
  //   c. Launch advanceKernel for the state that is now complete. Check the launch.
  //   d. What must the next step find in simulation.P? std::swap exchanges two structs.
  (void)prepareKernel, (void)advanceKernel, (void)pairs, (void)N;  // until they are used: no warning
  LAB_TODO(1);
  // ---- end of part 1 -----------------------------------------------------------------------------------------------
}

// ------------------------------------------------------------------------------- 2. pairs: a ball and its followers

// Ball i with all balls j after it, i < j < N: each pair once.   grid: as many threads as balls, or a few more
//   sums   (N), velocities that the changes are added to
__global__ void followingKernel(DeviceBalls P, lab::Velocity* sums, int N, lab::BallStep step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  // ---- part 2: ball i and all balls after it (one line) ------------------------------------------------------------
  // Which j make each pair come once, and none with itself? collide() does what the pair (i, j) does.
  (void)P, (void)sums, (void)step;  // until they are used: no warning
  LAB_TODO(2);
  // ---- end of part 2 -----------------------------------------------------------------------------------------------
}

void followingPairs(const DeviceBalls& P, lab::Velocity* sums, int N, const lab::BallStep& step) {
  followingKernel<<<blocksFor(N), BLOCK_SIZE>>>(P, sums, N, step);
  CUDA_CHECK_LAUNCH();
}
