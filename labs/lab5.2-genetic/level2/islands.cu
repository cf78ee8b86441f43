// islands.cu: the best set of each island goes to the next island, in a ring. Islands may be on different
// devices.
//
//      island 0, device 0        island 1, device 1        island 2, device 0
//      1. pack: best → leaving   1. pack                   1. pack
//            └────── 2. copy ──────▶ arriving                    │
//                                      └────── 2. copy ───────▶ arriving            (and from 2 to 0)
//                                3. unpack: arriving → the set of the last rank
//
// Each island has a stream for all its work. Two streams are not ordered, so streams wait for events of each other. An
// event is recorded in a stream of its own device; any stream may wait for it.
//
//      packed    an island's set is complete in `leaving`: the next island's stream waits for it before it copies
//      arrived   the previous set has arrived at an island: the sender's stream waits for it before it packs another
//
// cudaMemcpyPeerAsync copies between any two devices, or within one: directly if they can, else through the host.
//
// Run it:  grader lab5.2
//          genetic 64 32 40 --islands 4 --migration 10      CUEMU_DEVICES=2 in emulation: on two devices
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include "genetic.h"

// The best set is sent; the worst set is replaced.   grid: as many threads as points of a set, or a few more
__global__ void packKernel(lab::Point* leaving, Population population) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= population.world.points) return;
  // ---- part 6: a point of the best set ------------------------------------------------------------------------------
  // The keys are sorted. What does the first one contain?
  (void)leaving, (void)population, (void)k;  // until they are used: no warning
  LAB_TODO(6);
  // ---- end of part 6 ------------------------------------------------------------------------------------------------
}
__global__ void unpackKernel(Population population, const lab::Point* arriving) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= population.world.points) return;
  // ---- part 6: a point of the set that arrives ----------------------------------------------------------------------
  // It replaces the set of the last rank.
  (void)arriving, (void)population, (void)k;  // until they are used: no warning
  LAB_TODO(6);
  // ---- end of part 6 ------------------------------------------------------------------------------------------------
}

// Called between two generations, with sorted keys.
void migrate(const std::vector<Island>& islands) {
  const int points = islands[0].population.world.points;
  const std::size_t count = islands.size();
  // ---- part 6: pack, copy, unpack -----------------------------------------------------------------------------------
  // For each island, on its device and in its stream: pack. Then for each next island, on its own: copy, unpack. Which stream
  // waits for which event, so that a set is complete before it is copied, and copied before the next one is packed?
  (void)packKernel, (void)unpackKernel, (void)points, (void)count;  // until they are used: no warning
  LAB_TODO(6);
  // ---- end of part 6 ------------------------------------------------------------------------------------------------
}
