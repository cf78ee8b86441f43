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
  lab::Position position = P.position[i];
  lab::Velocity velocity = P.velocity[i];
  lab::fall_and_bounce(position, velocity, step);
  P.position[i] = Q.position[i] = position;
  P.velocity[i] = Q.velocity[i] = velocity;
}

// Q's velocities are complete: Q moves.   grid: the same
__global__ void advanceKernel(DeviceBalls Q, int N, lab::BallStep step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  lab::Position position = Q.position[i];
  lab::Velocity velocity = Q.velocity[i];
  lab::advance(position, velocity, step);
  Q.position[i] = position;
  Q.velocity[i] = velocity;
}

// A step. The launches of a stream run one after the other: each one sees all that those before it have done.
void takeStep(Simulation& simulation, Pairs pairs) {
  const int N = simulation.N;
  prepareKernel<<<blocksFor(N), BLOCK_SIZE>>>(simulation.P, simulation.Q, N, simulation.step);
  CUDA_CHECK_LAUNCH();
  pairs(simulation.P, simulation.Q.velocity, N, simulation.step);
  advanceKernel<<<blocksFor(N), BLOCK_SIZE>>>(simulation.Q, N, simulation.step);
  CUDA_CHECK_LAUNCH();
  std::swap(simulation.P, simulation.Q);  // pointers: no ball is copied
}

// ------------------------------------------------------------------------------- 2. pairs: a ball and its followers

// Ball i with all balls j after it, i < j < N: each pair once.   grid: as many threads as balls, or a few more
//   sums   (N), velocities that the changes are added to
__global__ void followingKernel(DeviceBalls P, lab::Velocity* sums, int N, lab::BallStep step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  for (int j = i + 1; j < N; ++j) collide(P, sums, i, j, step);
}

void followingPairs(const DeviceBalls& P, lab::Velocity* sums, int N, const lab::BallStep& step) {
  followingKernel<<<blocksFor(N), BLOCK_SIZE>>>(P, sums, N, step);
  CUDA_CHECK_LAUNCH();
}
