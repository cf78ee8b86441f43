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
  const long long best = lab::set_of(population.keys[0]);
  leaving[k] = population.P[best * population.world.points + k];
}
__global__ void unpackKernel(Population population, const lab::Point* arriving) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= population.world.points) return;
  const long long last = lab::set_of(population.keys[population.sets - 1]);
  population.P[last * population.world.points + k] = arriving[k];
}

// Called between two generations, with sorted keys.
void migrate(const std::vector<Island>& islands) {
  const int points = islands[0].population.world.points;
  const std::size_t count = islands.size();
  // 1. Each island packs, in its own stream on its own device.
  for (std::size_t i = 0; i < count; ++i) {
    const Island &island = islands[i], &next = islands[(i + 1) % count];
    CUDA_CHECK(cudaSetDevice(island.device));
    CUDA_CHECK(cudaStreamWaitEvent(island.stream, next.arrived, 0));  // the previous set has been copied
    packKernel<<<blocksFor(points), BLOCK_SIZE, 0, island.stream>>>(island.leaving, island.population);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaEventRecord(island.packed, island.stream));
  }
  // 2. and 3. The next island copies and unpacks, in its stream on its device.
  for (std::size_t i = 0; i < count; ++i) {
    const Island &island = islands[i], &next = islands[(i + 1) % count];
    CUDA_CHECK(cudaSetDevice(next.device));
    CUDA_CHECK(cudaStreamWaitEvent(next.stream, island.packed, 0));
    CUDA_CHECK(cudaMemcpyPeerAsync(next.arriving, next.device, island.leaving, island.device,
                                   sizeof(lab::Point) * static_cast<std::size_t>(points), next.stream));
    CUDA_CHECK(cudaEventRecord(next.arrived, next.stream));
    unpackKernel<<<blocksFor(points), BLOCK_SIZE, 0, next.stream>>>(next.population, next.arriving);
    CUDA_CHECK_LAUNCH();
  }
}
