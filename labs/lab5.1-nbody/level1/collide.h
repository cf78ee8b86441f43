// collide.h: what a thread does with its pair (part 2). Many threads add to the same ball's velocity at the same time.
#ifndef COLLIDE_H
#define COLLIDE_H

#include <lab/todo.hpp>

#include "nbody.h"

// Adds `change` to a number in global memory that other threads add to as well. As whole numbers are added, the
// sum does not depend on who comes first.
__device__ inline void addTo(long long* sum, long long change) {
  // ---- part 2: a sum that many threads add to (one line) -----------------------------------------------------------
  // Read, add and store must be one step that no other thread comes between. atomicAdd() knows 64 bits as unsigned long
  // long only: reinterpret_cast the pointer, and static_cast the change. The sum has the same bits with and without a sign.
  (void)sum, (void)change;  // until they are used: no warning
  LAB_TODO(2);
  // ---- end of part 2 -----------------------------------------------------------------------------------------------
}

// The same for a velocity.
__device__ inline void addTo(lab::Velocity* sum, const lab::Velocity& change) {
  addTo(&sum->x, change.x);
  addTo(&sum->y, change.y);
  addTo(&sum->z, change.z);
}

// What the pair (i, j) adds to its two balls.
//   P      (N), read: the state that all changes are computed from
//   sums   (N), velocities that the changes are added to
__device__ inline void collide(const DeviceBalls& P, lab::Velocity* sums, int i, int j,
                               const lab::BallStep& step) {
  // ---- part 2: the pair (i, j) (four lines) ------------------------------------------------------------------------
  //   a. Do the balls overlap? lab::overlap() says so. Return if not.
  //   b. lab::collision() gives the change of ball i. From which state are positions and velocities read?
  //   c. Add it to ball i with addTo(). And what does ball j get?
  (void)P, (void)sums, (void)i, (void)j, (void)step;  // until they are used: no warning
  LAB_TODO(2);
  // ---- end of part 2 -----------------------------------------------------------------------------------------------
}

#endif
