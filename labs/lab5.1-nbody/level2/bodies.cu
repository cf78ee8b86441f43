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
  // ---- part 1: gravity and walls, for P and Q ----------------------------------------------------------------------
  // lab::fall_and_bounce() does both for one ball. Who reads P after this kernel, and who adds to Q?
  (void)P, (void)Q, (void)N, (void)step;  // until they are used: no warning
  LAB_TODO(1);
  // ---- end of part 1 -----------------------------------------------------------------------------------------------
}

// Q's velocities are complete: Q moves.   grid: the same
__global__ void advanceKernel(DeviceBalls Q, int N, lab::BallStep step) {
  // ---- part 1: decay and advance -----------------------------------------------------------------------------------
  // lab::advance() does both for one ball.
  (void)Q, (void)N, (void)step;  // until they are used: no warning
  LAB_TODO(1);
  // ---- end of part 1 -----------------------------------------------------------------------------------------------
}

// A step. The launches of a stream run one after the other: each one sees all that those before it have done.
void takeStep(Simulation& simulation, Pairs pairs) {
  // ---- part 1: a step ----------------------------------------------------------------------------------------------
  // Launch what the figure above shows, in its order. What does the next step find in simulation.P?
  (void)prepareKernel, (void)advanceKernel, (void)simulation, (void)pairs;  // until they are used: no warning
  LAB_TODO(1);
  // ---- end of part 1 -----------------------------------------------------------------------------------------------
}

// ------------------------------------------------------------------------------- 2. pairs: a ball and its followers

// Ball i with all balls j after it, i < j < N: each pair once.   grid: as many threads as balls, or a few more
//   sums   (N), velocities that the changes are added to
__global__ void followingKernel(DeviceBalls P, lab::Velocity* sums, int N, lab::BallStep step) {
  // ---- part 2: a ball and its followers ----------------------------------------------------------------------------
  // Each pair once, and none of a ball with itself.
  (void)P, (void)sums, (void)N, (void)step;  // until they are used: no warning
  LAB_TODO(2);
  // ---- end of part 2 -----------------------------------------------------------------------------------------------
}

void followingPairs(const DeviceBalls& P, lab::Velocity* sums, int N, const lab::BallStep& step) {
  // ---- part 2: the launch ------------------------------------------------------------------------------------------
  (void)followingKernel, (void)P, (void)sums, (void)N, (void)step;  // until they are used: no warning
  LAB_TODO(2);
  // ---- end of part 2 -----------------------------------------------------------------------------------------------
}
