// collide.h: what a thread does with its pair (part 2). Many threads add to the same ball's velocity at the same time.
#ifndef COLLIDE_H
#define COLLIDE_H

#include <lab/todo.hpp>

#include "nbody.h"

// Adds `change` to a number in global memory that other threads add to as well. As whole numbers are added, the
// sum does not depend on who comes first.
__device__ inline void addTo(long long* sum, long long change) {
  // atomicAdd knows 64 bits without a sign only. In two's complement the sum has the same bits with and without one.
  atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(change));
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
  if (!lab::overlap(P.position[i], P.position[j], step)) return;  // nearly all pairs
  const lab::Velocity change = lab::collision(P.position[i], P.velocity[i], P.position[j], P.velocity[j]);
  addTo(&sums[i], change);
  addTo(&sums[j], {-change.x, -change.y, -change.z});  // what one ball gains the other one loses
}

#endif
